package dev.paysaga.stack;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "logs", description = "Prints the log of one process.")
final class LogsCommand extends Main.Action {

    @Parameters(paramLabel = "NAME", description = "order, account#2, kafka, registry, order-db, ...")
    private String name = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on printing what is written.")
    private boolean follow;

    @Override
    public Integer call() {
        Main.system().printLog(name, follow, Main.OUT);
        return 0;
    }
}
