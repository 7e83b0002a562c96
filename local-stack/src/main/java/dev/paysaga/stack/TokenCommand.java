package dev.paysaga.stack;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "token", description = "Prints a bearer token for the local stack.")
final class TokenCommand extends Main.Action {

    @Option(names = "--merchant", paramLabel = "M", description = "The merchant it speaks for; none for an operator.")
    private @Nullable String merchant;

    @Option(
            names = "--scope",
            arity = "1..*",
            split = "[ ,]",
            required = true,
            paramLabel = "S",
            description = "orders:write orders:read stock:write accounts:write accounts:read notifications:write ops")
    private List<String> scopes = List.of();

    @Override
    public Integer call() {
        String subject = merchant == null ? "operator" : merchant;
        Main.OUT.println(Main.system().secrets().token(subject, merchant, scopes));
        return 0;
    }
}
