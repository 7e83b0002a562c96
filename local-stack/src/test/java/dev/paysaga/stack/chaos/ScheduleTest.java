package dev.paysaga.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Duration LENGTH = Duration.ofMinutes(30);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final List<String> PROCESSES =
            List.of("order", "account", "kafka", "registry", "order-db", "account-db");

    @Test
    void the_same_seed_gives_the_same_faults() {
        assertThat(schedule(7)).isEqualTo(schedule(7)).isNotEqualTo(schedule(8));
    }

    @Test
    void faults_come_at_their_interval_and_are_over_before_the_load_is() {
        List<Injection> schedule = schedule(3);

        assertThat(schedule).isSortedAccordingTo(Comparator.comparing(Injection::at));
        assertThat(schedule).allSatisfy(injection -> {
            assertThat(injection.at().toSeconds() % INTERVAL.toSeconds()).isZero();
            assertThat(injection.at().plus(injection.lasting())).isLessThanOrEqualTo(LENGTH);
        });
    }

    @Test
    void three_minutes_have_every_kind_of_fault() {
        assertThat(Schedule.of(5, Duration.ofMinutes(3), INTERVAL, targets()))
                .extracting(Injection::fault)
                .contains(Fault.values());
    }

    @Test
    void in_half_an_hour_everybody_is_hit_in_every_way() {
        Map<Fault, List<Injection>> byFault = schedule(11).stream().collect(Collectors.groupingBy(Injection::fault));

        targets()
                .forEach((fault, whom) -> assertThat(byFault.get(fault))
                        .extracting(Injection::target)
                        .containsAll(whom));
    }

    @Test
    void nobody_is_hit_again_before_it_can_have_come_back() {
        Map<String, List<Injection>> byTarget = schedule(13).stream().collect(Collectors.groupingBy(Injection::target));

        byTarget.values().forEach(hits -> {
            for (int hit = 1; hit < hits.size(); hit++) {
                Injection before = hits.get(hit - 1);
                assertThat(hits.get(hit).at())
                        .isGreaterThanOrEqualTo(
                                before.at().plus(before.lasting()).plusSeconds(20));
            }
        });
    }

    @Test
    void a_kind_without_targets_does_not_occur() {
        Map<Fault, List<String>> targets = targets();
        targets.put(Fault.KILL, List.of());

        assertThat(Schedule.of(5, LENGTH, INTERVAL, targets))
                .isNotEmpty()
                .noneMatch(injection -> injection.fault() == Fault.KILL);
    }

    private static List<Injection> schedule(long seed) {
        return Schedule.of(seed, LENGTH, INTERVAL, targets());
    }

    private static Map<Fault, List<String>> targets() {
        var targets = new EnumMap<Fault, List<String>>(Fault.class);
        for (Fault fault : Fault.values()) {
            targets.put(fault, PROCESSES);
        }
        return targets;
    }
}
