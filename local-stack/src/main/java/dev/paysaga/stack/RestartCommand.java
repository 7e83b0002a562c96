package dev.paysaga.stack;

import dev.paysaga.stack.chaos.GracefulRestart;
import dev.paysaga.stack.processes.PaymentSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "restart", description = "Kills one process, or asks it to stop, and starts it again.")
final class RestartCommand extends Main.Action {

    @Parameters(paramLabel = "NAME", description = "order, account#2, kafka, registry, order-db, ...")
    private String name = "";

    @Option(
            names = "--gracefully",
            description =
                    "SIGTERM instead of SIGKILL: it finishes what it has in hand and hands over, as in a rolling update.")
    private boolean gracefully;

    @Override
    public Integer call() {
        PaymentSystem system = Main.system();
        if (gracefully && GracefulRestart.isFor(name) && system.isHealthy(name)) {
            Main.OUT.println(GracefulRestart.of(system, name));
        } else {
            if (gracefully) {
                system.stop(name);
            } else {
                system.kill(name);
            }
            system.start(name);
        }
        return 0;
    }
}
