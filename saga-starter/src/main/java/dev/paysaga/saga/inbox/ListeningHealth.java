package dev.paysaga.saga.inbox;

import dev.paysaga.saga.inbox.LaneListener.Trouble;
import dev.paysaga.saga.parking.ParkedEvents;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether each lane listens and gets on, and how many events wait for a person. */
final class ListeningHealth implements HealthIndicator {

    /** A database that restarts is away for some seconds; whoever is stuck longer needs somebody to look. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Listening listening;
    private final @Nullable ParkedEvents parked;

    ListeningHealth(Listening listening, @Nullable ParkedEvents parked) {
        this.listening = listening;
        this.parked = parked;
    }

    @Override
    public Health health() {
        var health = Health.up();
        String waitingFor = listening.waitingFor();
        if (waitingFor != null) {
            health.down().withDetail("waitingFor", waitingFor);
        }
        for (var lane : listening.lanes()) {
            String name = lane.lane().name().toLowerCase(Locale.ROOT);
            Trouble trouble = lane.listener().trouble();
            if (listening.isListening() && !lane.container().isRunning()) {
                health.down().withDetail(name, "stopped");
            } else if (trouble != null) {
                Duration since = Duration.ofNanos(System.nanoTime() - trouble.sinceNanos());
                health.withDetail(name, "trying again for " + since.toSeconds() + " s: " + trouble.reason());
                if (since.compareTo(PATIENCE) > 0) {
                    health.down();
                }
            } else {
                health.withDetail(name, listening.isListening() ? "listening" : "not yet listening");
            }
        }
        if (parked != null) {
            health.withDetail("waitingForAPerson", parked.waiting());
        }
        return health.build();
    }
}
