package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.StackFailure;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What a container's restart policy is elsewhere: starts every process that should run and does not. A service that gives up
 * because its database was away when it started is started again, as often as it takes.
 */
final class Keeper implements AutoCloseable {

    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(500);

    private final PaymentSystem system;
    private final Chronicle chronicle;
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    private final Set<String> heldDown = ConcurrentHashMap.newKeySet();
    private final AtomicInteger gaveUp = new AtomicInteger();
    private final Thread thread;
    private volatile boolean closed;

    Keeper(PaymentSystem system, Chronicle chronicle, List<String> processes) {
        this.system = system;
        this.chronicle = chronicle;
        wanted.addAll(processes);
        thread = Thread.ofPlatform().name("keeper").daemon().start(this::watch);
    }

    /** It is about to end, and stays down until it is {@link #release released}. */
    void holdDown(String process) {
        heldDown.add(process);
    }

    /** It may run again, and is started if it is down. */
    void release(String process) {
        start(process);
        heldDown.remove(process);
    }

    /** From now on it runs, too. */
    void add(String process) {
        start(process);
        wanted.add(process);
    }

    /** From now on it need not run. */
    void remove(String process) {
        wanted.remove(process);
    }

    /** Whether it should run, apart from faults. */
    boolean wants(String process) {
        return wanted.contains(process);
    }

    /** How often a process ended that nobody had killed or stopped: services that cannot start do so. */
    int gaveUp() {
        return gaveUp.get();
    }

    private void watch() {
        while (!closed) {
            look();
            LockSupport.parkNanos(INTERVAL);
        }
    }

    private void look() {
        // Who was held down before the look may have been gone rightly.
        Set<String> excused = Set.copyOf(heldDown);
        Set<String> alive;
        try {
            alive = system.alive();
        } catch (StackFailure failure) {
            chronicle.note("the keeper sees nothing just now: " + failure.getMessage());
            return;
        }
        for (String process : wanted) {
            boolean gone = !excused.contains(process) && !heldDown.contains(process) && !alive.contains(process);
            if (gone && start(process)) {
                gaveUp.incrementAndGet();
                chronicle.note(process + " had ended by itself and is started again");
            }
        }
    }

    private boolean start(String process) {
        try {
            return system.launch(process);
        } catch (StackFailure failure) {
            chronicle.note(process + " cannot be started yet: " + failure.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
