package dev.paysaga.stack;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paysaga.stack.events.JsonEvents;
import dev.paysaga.stack.events.Tail;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import dev.paysaga.wire.ConfluentWire;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "tail", description = "Prints events as they come, decoded, one JSON object a line.")
final class TailCommand extends Main.Action {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Parameters(arity = "1..*", paramLabel = "TOPIC", description = "order.events, account.events, ...")
    private List<String> topics = List.of();

    @Option(names = "--from-beginning", description = "Start with the oldest event instead of the next one.")
    private boolean fromBeginning;

    @Override
    public Integer call() {
        PaymentSystem system = Main.system();
        try (var tail =
                new Tail(ConfluentWire.of(system.registryUrl()), system.bootstrapServers(), topics, fromBeginning)) {
            tail.follow(seen -> Main.OUT.println(json(seen)), () -> !Main.OUT.checkError());
        } catch (IllegalArgumentException e) {
            throw new StackFailure(String.valueOf(e.getMessage()), e);
        } catch (KafkaException e) {
            throw new StackFailure("Cannot read from Kafka: " + e.getMessage() + ". Is the stack up?", e);
        }
        return 0;
    }

    private static String json(Tail.Seen seen) {
        ObjectNode line = JSON.createObjectNode();
        line.put("time", seen.time().toString());
        line.put("topic", seen.topic());
        line.put("partition", seen.partition());
        line.put("offset", seen.offset());
        line.put("key", seen.key());
        line.put("id", seen.id());
        line.put("source", seen.source());
        line.put("type", seen.type());
        if (seen.event() != null) {
            line.set("event", JsonEvents.write(seen.event()));
        } else {
            line.put("undecodable", seen.problem());
        }
        return line.toString();
    }
}
