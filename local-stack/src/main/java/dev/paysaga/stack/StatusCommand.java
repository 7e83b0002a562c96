package dev.paysaga.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paysaga.stack.processes.Stack;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "status", description = "Shows every process, and whether there is work in flight.")
final class StatusCommand extends Main.Action {

    @Option(names = "--json", description = "For programs: one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        List<Stack.State> states = Main.stack().states();
        if (json) {
            Main.OUT.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(asJson(states)));
        } else {
            StatusTable.print(states, Main.OUT);
        }
        return 0;
    }

    private static ObjectNode asJson(List<Stack.State> states) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        ArrayNode processes = root.putArray("processes");
        for (Stack.State state : states) {
            ObjectNode process = processes.addObject();
            process.put("name", state.name());
            process.put("state", state.state());
            process.put("pid", state.pid());
            process.put("port", state.port());
            process.put("rssBytes", state.rssBytes());
        }
        root.put("rssBytes", states.stream().mapToLong(Stack.State::rssBytes).sum());
        return root;
    }
}
