package dev.paysaga.stack;

import picocli.CommandLine.Command;

@Command(name = "down", description = "Stops everything; the data stays.")
final class DownCommand extends Main.Action {

    @Override
    public Integer call() {
        Main.stack().down();
        return 0;
    }
}
