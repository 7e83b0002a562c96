package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.stack.chaos.Chaos;
import dev.paysaga.stack.chaos.Result;
import dev.paysaga.stack.chaos.WorkOrders;
import dev.paysaga.stack.demo.Reconciliation;
import dev.paysaga.stack.processes.Stack;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class StormIT {

    private static final Duration SETTLING = Duration.ofMinutes(3);

    private static final CommandLine PAYSAGA = new CommandLine("storm");

    private final Stack stack = PAYSAGA.stack();

    @BeforeAll
    static void up() {
        assertThat(PAYSAGA.run("up", "--fresh")).matches(result -> result.code() == 0, "up succeeds");
    }

    @AfterAll
    static void down() {
        assertThat(PAYSAGA.run("down").code()).isZero();
    }

    @Test
    void a_thousand_orders_canceled_refunded_in_vain_and_paid_settle_though_two_services_are_killed_ten_times_each() {
        var chaos = new Chaos(stack, new PrintStream(System.out, true, StandardCharsets.UTF_8));
        var workOrders = new WorkOrders(stack);

        Result storm = chaos.storm(1_000, 10, List.of("account", "inventory"));

        assertThat(storm.pending()).isEmpty();
        assertThat(storm.wrong()).isEmpty();
        assertThat(storm.counts()).containsEntry("kills", 20L).containsEntry("clients without an answer", 0L);
        assertThat(workOrders.suspense()).as("money in suspense").isPositive();

        workOrders.resolveAll();

        assertThat(stack.quiet().await(SETTLING)).matches(pending -> pending.none(), "nothing is on its way");
        assertThat(workOrders.suspense()).as("money in suspense").isZero();
        assertThat(Reconciliation.of(stack).differences()).isEmpty();
    }
}
