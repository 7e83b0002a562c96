package dev.paysaga.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Quiet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "status", description = "Shows every process, and whether there is work in flight.")
final class StatusCommand extends Main.Action {

    @Option(names = "--json", description = "For programs: one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        PaymentSystem system = Main.system();
        List<PaymentSystem.State> states = system.states();
        boolean allReady = states.stream().allMatch(PaymentSystem.State::isReady);
        if (json) {
            ObjectNode root = asJson(states, allReady, system.quiet().pending());
            Main.OUT.println(root.toPrettyString());
            return 0;
        }
        StatusTable.print(states, Main.OUT);
        if (allReady) {
            Quiet.Pending pending = system.quiet().pending();
            Main.OUT.println(pending.none() ? "  quiet: nothing is on its way" : "  busy: " + pending);
        }
        return 0;
    }

    private static ObjectNode asJson(List<PaymentSystem.State> states, boolean allReady, Quiet.Pending pending) {
        var json = new ObjectMapper();
        ObjectNode root = json.createObjectNode();
        root.put("quiet", allReady && pending.none());
        root.set("pending", json.valueToTree(pending));
        ArrayNode processes = root.putArray("processes");
        for (PaymentSystem.State state : states) {
            ObjectNode process = processes.addObject();
            process.put("name", state.name());
            process.put("state", state.state());
            process.put("pid", state.pid());
            process.put("port", state.port());
            process.put("managementPort", state.managementPort());
            process.put("rssBytes", state.rssBytes());
        }
        root.put(
                "rssBytes",
                states.stream().mapToLong(PaymentSystem.State::rssBytes).sum());
        return root;
    }
}
