package dev.paysaga.stack;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "start", description = "Starts one process and waits until it is ready.")
final class StartCommand extends Main.Action {

    @Parameters(paramLabel = "NAME", description = "order, account#2, kafka, registry, order-db, ...")
    private String name = "";

    @Override
    public Integer call() {
        Main.system().start(name);
        return 0;
    }
}
