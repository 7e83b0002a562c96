package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoIT {

    @Test
    void the_demo_starts_everything_plays_every_scenario_and_balances_the_books() {
        // Orders must be paid though a process is killed: not be given up because the machine is slow to start it
        // again.
        var paysaga = new CommandLine("demo").with("ORDER_DEADLINES_UNCONFIRMED", "5m");

        CommandLine.Result demo = paysaga.run("demo", "--once");

        assertThat(demo.output())
                .contains("✓ An order is paid")
                .contains("✓ Not enough stock")
                .contains("✓ Not enough money")
                .contains("✓ The same order five times at once: one order")
                .contains("✓ A refund")
                .contains("✓ account-service killed between StockReserved and PaymentAuthorized")
                .contains("✓ kafka killed in mid-flow")
                .contains("✓ order-db killed in mid-flow")
                .contains("the books balance: no difference")
                .contains("All is well");
        assertThat(demo.code()).isZero();
        assertThat(paysaga.run("status").output())
                .contains("stopped")
                .doesNotContain("ready")
                .doesNotContain("dead");
    }
}
