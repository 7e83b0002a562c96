package dev.paysaga.simulation;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.Topics;
import dev.paysaga.explorer.Cell;
import dev.paysaga.explorer.Participant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Writes {@code docs/asyncapi.yaml}: the topics and events as AsyncAPI 3.0.0, for code generators and catalogues. Who hears
 * what is taken from what was exercised, as in {@code docs/choreography.md}.
 */
public final class AsyncApiDocument {

    private static final List<Participant> SERVICES =
            List.of(new OrderRole(true), new InventoryRole(1), new AccountRole(1), new NotificationRole());

    /** These hear what people decide about their work orders. */
    private static final Set<String> WITH_WORK_ORDERS = Set.of(OrderRole.NAME, AccountRole.NAME);

    private final StringBuilder text = new StringBuilder();

    private AsyncApiDocument() {}

    /** The document. */
    public static String text() {
        var document = new AsyncApiDocument();
        document.write();
        return document.text.toString();
    }

    private void write() {
        text.append("""
            # Generated from the services' own reactions; a stale copy fails the build.
            asyncapi: 3.0.0
            info:
              title: Paysaga
              version: 0.1.0
              description: >-
                The events of the payment saga. Every record's key is the order id (the parked event's, or
                merchantId/outTradeNo, where there is no order); its value is Avro in Confluent's wire format; its headers
                are CloudEvents 1.0 in binary mode. docs/choreography.md says what each service does about each event.
            defaultContentType: application/avro
            servers:
              local:
                host: 127.0.0.1:9092
                protocol: kafka
                description: The embedded stack, and docker compose.
            channels:
            """);
        topics().forEach(this::channel);
        text.append("operations:\n");
        for (Participant service : SERVICES) {
            topics().forEach(topic -> operation(service.name(), "send", topic, sent(service.name(), topic)));
            topics().forEach(topic -> operation(service.name(), "receive", topic, heard(service, topic)));
        }
        text.append("components:\n  messages:\n");
        topics().forEach(topic -> schemasOf(topic).forEach(this::message));
        text.append("""
              schemas:
                Headers:
                  type: object
                  required: [ce_id, ce_type, ce_source, ce_time, ce_specversion]
                  properties:
                    ce_id:
                      type: string
                      format: uuid
                      description: The same on every delivery; what receivers remember. Derived from the cause.
                    ce_type:
                      type: string
                      description: The event's name.
                    ce_source:
                      type: string
                      description: The service that announced it.
                    ce_time:
                      type: string
                      format: date-time
                    ce_subject:
                      type: string
                      description: Equals the record's key.
                    ce_specversion:
                      type: string
                      const: '1.0'
                    traceparent:
                      type: string
                      description: W3C trace context.
                    paysaga_causation_id:
                      type: string
                      format: uuid
                      description: The id of the event or command that led to this one.
                    paysaga_merchant_id:
                      type: string
            """);
    }

    private static Collection<String> topics() {
        return new TreeSet<>(PaymentSaga.topics());
    }

    private static Collection<Schema> schemasOf(String topic) {
        return new PaymentSaga().schemasOf(topic);
    }

    private void channel(String topic) {
        text.append("""
              %s:
                address: %s
                messages:
            """.formatted(id(topic), topic));
        for (Schema event : schemasOf(topic)) {
            text.append("      ").append(event.getName()).append(":\n        $ref: '#/components/messages/");
            text.append(event.getName()).append("'\n");
        }
    }

    private void operation(String service, String action, String topic, Collection<String> events) {
        if (events.isEmpty()) {
            return;
        }
        text.append("""
              %s%s%s:
                action: %s
                channel:
                  $ref: '#/channels/%s'
                tags:
                  - name: %s
                messages:
            """.formatted(
                        service,
                        action.equals("send") ? "Sends" : "Receives",
                        capital(id(topic)),
                        action,
                        id(topic),
                        service + "-service"));
        events.forEach(event -> text.append("      - $ref: '#/channels/")
                .append(id(topic))
                .append("/messages/")
                .append(event)
                .append("'\n"));
    }

    /** What a service may say: all that its own topics carry, and to people what waits for them. */
    private static Collection<String> sent(String service, String topic) {
        boolean own = topic.startsWith(service + ".") && !topic.equals(Topics.ORDER_REQUESTS);
        boolean toPeople = topic.equals(Topics.OPS_EVENTS);
        return schemasOf(topic).stream()
                .map(Schema::getName)
                .filter(event -> own || toPeople && (!event.equals("SagaStuck") || service.equals(OrderRole.NAME)))
                .toList();
    }

    private static Collection<String> heard(Participant service, String topic) {
        if (topic.equals(Topics.OPS_COMMANDS)) {
            return schemasOf(topic).stream()
                    .map(Schema::getName)
                    .filter(event -> WITH_WORK_ORDERS.contains(service.name())
                            && (service.name().equals(AccountRole.NAME) || !event.equals("PostToSuspense")))
                    .toList();
        }
        Set<String> exercised = Coverage.ofAll().cells().keySet().stream()
                .filter(cell -> cell.participant().equals(service.name()))
                .map(Cell::event)
                .collect(Collectors.toSet());
        return schemasOf(topic).stream()
                .map(Schema::getName)
                .filter(exercised::contains)
                .toList();
    }

    private void message(Schema event) {
        text.append("""
                %1$s:
                  name: %1$s
                  summary: %2$s
                  contentType: application/avro
                  headers:
                    $ref: '#/components/schemas/Headers'
                  payload:
                    schemaFormat: application/vnd.apache.avro;version=1.9.0
                    schema:
                      $ref: ../shared-events/src/main/avro/%1$s.avsc
            """.formatted(event.getName(), quoted(event.getDoc())));
    }

    private static String quoted(String doc) {
        return "'" + doc.replace("'", "''") + "'";
    }

    /** Topic names as identifiers: order.events is orderEvents. */
    private static String id(String topic) {
        String[] words = topic.split("\\.");
        return words[0]
                + Arrays.stream(words).skip(1).map(AsyncApiDocument::capital).collect(Collectors.joining());
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
