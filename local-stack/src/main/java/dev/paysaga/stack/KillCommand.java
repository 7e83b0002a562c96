package dev.paysaga.stack;

import dev.paysaga.stack.processes.StackFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "kill", description = "SIGKILL to one process, as a crash would (for a database: the whole instance).")
final class KillCommand extends Main.Action {

    @Parameters(paramLabel = "NAME", description = "order, account#2, kafka, registry, order-db, ...")
    private String name = "";

    @Override
    public Integer call() {
        if (!Main.system().kill(name)) {
            throw new StackFailure(name + " is not running.");
        }
        return 0;
    }
}
