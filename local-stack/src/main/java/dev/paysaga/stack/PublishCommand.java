package dev.paysaga.stack;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.stack.events.JsonEvents;
import dev.paysaga.stack.events.Publisher;
import dev.paysaga.stack.events.WrongEvent;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import dev.paysaga.wire.ConfluentWire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "publish", description = "Publishes the events in a file, one JSON object a line, to a topic as Avro.")
final class PublishCommand extends Main.Action {

    @Parameters(index = "0", paramLabel = "TOPIC", description = "order.requests, ...")
    private String topic = "";

    @Parameters(
            index = "1",
            paramLabel = "FILE.json",
            description =
                    "One event a line. A topic with several kinds of event needs a field \"type\" with the event's name.")
    private Path file = Path.of("");

    @Option(names = "--key", paramLabel = "K", description = "The Kafka key of all of them; else each event's own.")
    private @Nullable String key;

    @Override
    public Integer call() throws InterruptedException {
        var saga = new PaymentSaga();
        if (saga.schemasOf(topic).isEmpty()) {
            throw new StackFailure("There is no topic " + topic + "; there are "
                    + PaymentSaga.topics().stream().sorted().toList() + ".");
        }
        // All lines are read before the first is published: a mistake in the last one publishes nothing.
        List<SpecificRecord> events = events(new JsonEvents(saga));
        PaymentSystem system = Main.system();
        try (var publisher = new Publisher(saga, ConfluentWire.of(system.registryUrl()), system.bootstrapServers())) {
            publisher.publish(topic, events, key);
        } catch (ExecutionException | RuntimeException e) {
            throw new StackFailure("Cannot publish to " + topic + ": " + e.getMessage() + ". Is the stack up?", e);
        }
        Main.OUT.println(events.size() + (events.size() == 1 ? " event" : " events") + " published to " + topic + ".");
        return 0;
    }

    private List<SpecificRecord> events(JsonEvents json) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new StackFailure("Cannot read " + file + ": " + e.getMessage(), e);
        }
        var events = new ArrayList<SpecificRecord>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1);
            if (line.isBlank()) {
                continue;
            }
            try {
                events.add(json.read(topic, line));
            } catch (WrongEvent wrong) {
                throw new StackFailure(
                        file + ", line " + number + ": " + wrong.getMessage() + ". Nothing was published.", wrong);
            }
        }
        return events;
    }
}
