package dev.paysaga.saga.inbox;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;

/**
 * Begins to listen when everything is prepared, in the background, so that a broker or a registry that is away keeps no
 * service from starting; and sees to it that no lane stays silent afterwards.
 */
final class Listening implements SmartLifecycle {

    /** Something that must succeed once before events are handled. */
    record Preparation(String what, Work work) {

        @FunctionalInterface
        interface Work {
            void run() throws InterruptedException;
        }
    }

    /** One lane's container. */
    record LaneContainer(
            Lane lane, LaneListener listener, ConcurrentMessageListenerContainer<byte[], byte[]> container) {}

    /** As late as Spring Kafka's own listeners: after the relay's slot exists, so that nothing is announced unseen. */
    private static final int PHASE = Integer.MAX_VALUE - 100;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration WATCH = Duration.ofSeconds(5);
    private static final Duration HOUSEKEEPING = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(Listening.class);

    private final List<Preparation> preparations;
    private final List<LaneContainer> lanes;
    private final List<Runnable> housekeeping;
    private volatile @Nullable ScheduledExecutorService background;
    private volatile @Nullable String waitingFor;
    private volatile boolean listening;

    Listening(List<Preparation> preparations, List<LaneContainer> lanes, List<Runnable> housekeeping) {
        this.preparations = preparations;
        this.lanes = lanes;
        this.housekeeping = housekeeping;
    }

    @Override
    public synchronized void start() {
        if (background != null) {
            return;
        }
        var threads = Executors.newScheduledThreadPool(
                2, Thread.ofPlatform().daemon().name("saga-listening-", 0).factory());
        background = threads;
        threads.execute(this::prepareAndListen);
        threads.scheduleWithFixedDelay(
                this::keepHouse, HOUSEKEEPING.toSeconds(), HOUSEKEEPING.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public synchronized void stop(Runnable callback) {
        listening = false;
        ScheduledExecutorService threads = background;
        if (threads != null) {
            threads.shutdownNow();
            background = null;
        }
        lanes.parallelStream().forEach(lane -> lane.container().stop());
        callback.run();
    }

    @Override
    public boolean isRunning() {
        return background != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    List<LaneContainer> lanes() {
        return lanes;
    }

    /** What keeps it from listening; null if nothing does. */
    @Nullable
    String waitingFor() {
        return waitingFor;
    }

    boolean isListening() {
        return listening;
    }

    private void prepareAndListen() {
        try {
            keepHouse();
            for (Preparation preparation : preparations) {
                untilItSucceeds(preparation);
            }
            waitingFor = null;
            startContainers();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void untilItSucceeds(Preparation preparation) throws InterruptedException {
        waitingFor = preparation.what();
        for (int attempt = 1; ; attempt++) {
            try {
                preparation.work().run();
                return;
            } catch (RuntimeException e) {
                waitingFor = preparation.what() + ": " + e.getMessage();
                if (Integer.bitCount(attempt) == 1) {
                    log.warn(
                            "Not listening yet, attempt {} at {} failed: {}",
                            attempt,
                            preparation.what(),
                            e.toString());
                }
            }
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        }
    }

    private synchronized void startContainers() {
        ScheduledExecutorService threads = background;
        if (threads == null) {
            return;
        }
        lanes.forEach(lane -> lane.container().start());
        listening = true;
        threads.scheduleWithFixedDelay(
                this::restartSilentLanes, WATCH.toSeconds(), WATCH.toSeconds(), TimeUnit.SECONDS);
    }

    /** A container may stop by itself, for example upon an Error in the Kafka client. */
    private synchronized void restartSilentLanes() {
        for (LaneContainer lane : lanes) {
            if (listening && !lane.container().isInExpectedState()) {
                log.error("The lane {} has stopped listening and is started again", lane.lane());
                try {
                    lane.container().stop();
                    lane.container().start();
                } catch (RuntimeException e) {
                    log.error("The lane {} cannot be started", lane.lane(), e);
                }
            }
        }
    }

    private void keepHouse() {
        for (Runnable work : housekeeping) {
            try {
                work.run();
            } catch (RuntimeException e) {
                log.warn("Housekeeping failed and will be tried again", e);
            }
        }
    }
}
