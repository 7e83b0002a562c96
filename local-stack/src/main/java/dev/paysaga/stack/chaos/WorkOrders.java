package dev.paysaga.stack.chaos;

import dev.paysaga.events.PaymentSaga;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.stack.client.Answer;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.events.Publisher;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import dev.paysaga.wire.ConfluentWire;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;

/**
 * A person who decides about the money in suspense: every other amount is paid out elsewhere, over HTTP; the rest is given back
 * to the merchants, by commands.
 */
public final class WorkOrders {

    private static final int SECONDS = 120;

    private static final String OPEN =
            "select id, aggregate_id, merchant_id, refund_no, amount from work_orders where status = 'OPEN' and amount is not null";

    private static final String SUSPENSE = """
            select coalesce(sum(case when credit_account like '~/SUSPENSE-%' then amount else -amount end), 0)
              from transfers
             where kind not in ('HOLD', 'VOID')
               and (credit_account like '~/SUSPENSE-%' or debit_account like '~/SUSPENSE-%')
            """;

    private static final String PAY_OUT = "PAY_OUT";

    private final PaymentSystem system;
    private final Services services;

    public WorkOrders(PaymentSystem system) {
        this.system = system;
        this.services = new Services(system);
    }

    /** The money whose destiny is unknown, in minor units over all currencies. */
    public long suspense() {
        return number(SUSPENSE);
    }

    /**
     * Resolves all that are open and about money, and waits until it is done.
     *
     * @return how many there were
     */
    public int resolveAll() {
        List<ResolveWorkOrder> decisions = decisions();
        decisions.stream()
                .filter(decision -> decision.getAction().equals(PAY_OUT))
                .forEach(this::post);
        publish(decisions.stream()
                .filter(decision -> !decision.getAction().equals(PAY_OUT))
                .<SpecificRecord>map(decision -> decision)
                .toList());
        Await.until("all work orders are resolved", SECONDS, () -> decisions().isEmpty());
        return decisions.size();
    }

    private void post(ResolveWorkOrder decision) {
        Answer answer = services.post(
                "account",
                "/v1/work-orders/" + decision.getWorkOrderId() + "/resolution",
                Services.json(Map.of("action", decision.getAction(), "note", "decided by a test")),
                services.token(null, List.of("ops")));
        if (!answer.ok()) {
            throw new IllegalStateException(decision + " was refused: " + answer);
        }
    }

    private void publish(List<SpecificRecord> commands) {
        try (var publisher =
                new Publisher(new PaymentSaga(), ConfluentWire.of(system.registryUrl()), system.bootstrapServers())) {
            publisher.publish("ops.commands", commands, null);
        } catch (ExecutionException e) {
            throw new StackFailure("Cannot publish to ops.commands: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ResolveWorkOrder> decisions() {
        var decisions = new ArrayList<ResolveWorkOrder>();
        try (Connection account = system.databases().connect("account");
                Statement sql = account.createStatement();
                ResultSet rows = sql.executeQuery(OPEN)) {
            while (rows.next()) {
                decisions.add(new ResolveWorkOrder(
                        rows.getObject(1, UUID.class),
                        rows.getObject(2, UUID.class),
                        rows.getString(3),
                        decisions.size() % 2 == 0 ? PAY_OUT : "RETURN",
                        rows.getString(4),
                        rows.getLong(5),
                        "storm",
                        "decided by a test",
                        null));
            }
            return decisions;
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private long number(String query) {
        try (Connection account = system.databases().connect("account");
                Statement sql = account.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw unreadable(e);
        }
    }

    private static StackFailure unreadable(SQLException e) {
        return new StackFailure("Cannot read account's work orders: " + e.getMessage() + ". See ./paysaga status", e);
    }
}
