package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Takes one safeguard after another away: the exploration must notice each time. */
class SafeguardsTest {

    static List<Mutant> safeguards() {
        return Mutants.all();
    }

    @ParameterizedTest(name = "without it, that is noticed: {0}")
    @MethodSource("safeguards")
    void each_safeguard_is_needed(Mutant mutant) {
        Exploration found = Explorer.exhaustWithLiveness(mutant.choreography(), 1_000_000);
        assertThat(found.violation())
                .as("what happens without: " + mutant.safeguard())
                .isNotNull();
    }
}
