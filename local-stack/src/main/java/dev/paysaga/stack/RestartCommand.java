package dev.paysaga.stack;

import dev.paysaga.stack.processes.PaymentSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "restart", description = "Kills one process and starts it again.")
final class RestartCommand extends Main.Action {

    @Parameters(paramLabel = "NAME", description = "order, account#2, kafka, registry, order-db, ...")
    private String name = "";

    @Override
    public Integer call() {
        PaymentSystem system = Main.system();
        system.kill(name);
        system.start(name);
        return 0;
    }
}
