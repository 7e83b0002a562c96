package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChaosIT {

    private static final CommandLine PAYSAGA = new CommandLine("chaos");

    @Test
    void three_minutes_of_faults_lose_nothing_double_nothing_and_break_no_promise() {
        CommandLine.Result chaos = PAYSAGA.run("chaos", "--minutes", "3", "--rate", "10", "--every", "10");

        assertThat(chaos.output())
                .contains("the books balance: no difference")
                .contains("**clean**")
                .contains("| lost | 0 |")
                .contains("| doubled | 0 |");
        assertThat(chaos.code()).isZero();
    }
}
