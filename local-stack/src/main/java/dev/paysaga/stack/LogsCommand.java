package dev.paysaga.stack;

import dev.paysaga.stack.processes.StackFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
    public Integer call() throws IOException {
        Path log = Main.stack().log(name);
        if (!Files.exists(log)) {
            throw new StackFailure(name + " has no log yet: it was never started.");
        }
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] buffer = new byte[65_536];
            while (true) {
                int count = file.read(buffer);
                if (count > 0) {
                    Main.OUT.write(buffer, 0, count);
                    Main.OUT.flush();
                } else if (follow && !Main.OUT.checkError()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                } else {
                    return 0;
                }
            }
        }
    }
}
