package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paysaga.explorer.Exploration;
import dev.paysaga.explorer.Explorer;
import dev.paysaga.simulation.Mutants.Redundant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Takes one safeguard after another away: the exploration must notice each time, or somebody must know why not. */
class SafeguardsTest {

    private static final Path COMMITTED = Path.of("..", "docs", "safeguards.md");

    private static final Map<String, Exploration> FOUND = new HashMap<>();

    static List<Mutant> safeguards() {
        return Mutants.all();
    }

    static List<Redundant> secondLines() {
        return Mutants.redundant();
    }

    @ParameterizedTest(name = "without it, that is noticed: {0}")
    @MethodSource("safeguards")
    void each_safeguard_is_needed(Mutant mutant) {
        assertThat(without(mutant).violation())
                .as("what happens without: " + mutant.safeguard())
                .isNotNull();
    }

    @ParameterizedTest
    @MethodSource("secondLines")
    void without_a_second_line_all_holds(Redundant redundant) {
        Exploration without = without(redundant.mutant());
        assertThat(without.violation())
                .as(redundant.mutant().safeguard() + ", missed after all")
                .isNull();
        assertThat(without.exhausted()).isTrue();
    }

    @Test
    void every_reading_is_forbidden_by_a_safeguard() {
        assertThat(Mutants.all().stream().map(Mutant::safeguard)).doesNotHaveDuplicates();
        assertThat(SafeguardsDocument.spokenOf())
                .isSubsetOf(Mutants.all().stream().map(Mutant::safeguard).toList());
    }

    @Test
    void the_committed_table_says_what_was_found() throws IOException {
        Mutants.all().forEach(SafeguardsTest::without);
        Mutants.redundant().forEach(redundant -> without(redundant.mutant()));
        String present = SafeguardsDocument.text(FOUND);
        Path fresh = Files.writeString(Path.of("target", "safeguards.md"), present);
        assertThat(Files.exists(COMMITTED) && Files.readString(COMMITTED).equals(present))
                .as("docs/safeguards.md is stale; the present one is in simulation/%s: copy it over", fresh)
                .isTrue();
    }

    /** Shortest traces come first, so liveness is looked at only where nothing else is wrong. */
    private static Exploration without(Mutant mutant) {
        return FOUND.computeIfAbsent(
                mutant.safeguard(), name -> Explorer.exhaustWithLiveness(mutant.choreography(), 5_000_000));
    }
}
