package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Does to the stack what a schedule says. */
final class Faults {

    private static final List<String> REPLAYED = List.of(
            "order.requests",
            "order.events",
            "order.compensations",
            "inventory.events",
            "inventory.compensations",
            "account.events",
            "account.compensations");

    /** Ends every session but its own, the walsender of the relay included. */
    private static final String CUT =
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')";

    /** What an order feels several times over: each of its steps crosses the link more than once. */
    private static final int LONGEST_DELAY_MILLIS = 250;

    /** Longer than any lease, deadline or validity of a token's clock skew. */
    private static final Duration CLOCK_JUMP = Duration.ofMinutes(5);

    private static final Duration CLEANING = Duration.ofMinutes(2);

    private final PaymentSystem system;
    private final Keeper keeper;
    private final Surroundings surroundings;
    private final Records records;

    Faults(PaymentSystem system, Keeper keeper, Surroundings surroundings) {
        this.system = system;
        this.keeper = keeper;
        this.surroundings = surroundings;
        this.records = new Records(system.bootstrapServers());
    }

    /** Whom each kind of fault may hit in this system. */
    static Map<Fault, List<String>> targets(PaymentSystem system, Surroundings surroundings) {
        List<String> processes =
                system.states().stream().map(PaymentSystem.State::name).toList();
        List<String> services = Databases.SERVICES;
        List<String> databases =
                services.stream().map(service -> service + "-db").toList();
        var targets = new EnumMap<Fault, List<String>>(Fault.class);
        for (Fault fault : Fault.values()) {
            targets.put(
                    fault,
                    switch (fault) {
                        case KILL, PAUSE, RESTART -> processes;
                        case CUT_CONNECTIONS, FULL_DISK -> databases;
                        case DELAY -> surroundings.slowLinks();
                        case PARTITION -> surroundings.links();
                        case REPLAY -> REPLAYED;
                        case REWIND -> services;
                        case REPLICA -> surroundings.replicas();
                        case CLOCK -> surroundings.hasClocks() ? services : List.of();
                    });
        }
        return targets;
    }

    /** Does it and undoes it; returns when it is over. */
    void inject(Injection injection) {
        String target = injection.target();
        switch (injection.fault()) {
            case KILL -> {
                keeper.holdDown(target);
                system.kill(target);
                pass(injection.lasting());
                keeper.release(target);
            }
            case PAUSE -> {
                system.pause(target);
                pass(injection.lasting());
                system.resume(target);
            }
            case RESTART -> restart(target, Duration.ZERO);
            case CUT_CONNECTIONS -> cut(serviceOf(target));
            case DELAY -> {
                surroundings.slow(target, Duration.ofMillis(LONGEST_DELAY_MILLIS));
                pass(injection.lasting());
                surroundings.slow(target, Duration.ZERO);
            }
            case PARTITION -> {
                surroundings.cut(target);
                pass(injection.lasting());
                surroundings.mend(target);
            }
            case FULL_DISK -> {
                fill(serviceOf(target));
                pass(injection.lasting());
                clean(serviceOf(target));
            }
            case REPLAY -> records.publishAgain(target);
            case REWIND -> rewind(target);
            case REPLICA -> changeNumber(target, injection.lasting());
            case CLOCK -> {
                boolean ahead = injection.lasting().toMillis() % 2 == 0;
                restart(target, ahead ? CLOCK_JUMP : CLOCK_JUMP.negated());
                pass(injection.lasting());
                restart(target, Duration.ZERO);
            }
        }
    }

    /** One more for a while, or one less. */
    private void changeNumber(String replica, Duration lasting) {
        boolean there = keeper.wants(replica);
        if (!there) {
            keeper.add(replica);
            pass(lasting);
        }
        keeper.remove(replica);
        system.kill(replica);
        system.stop(replica);
        if (there) {
            pass(lasting);
            keeper.add(replica);
        }
    }

    private void restart(String process, Duration clock) {
        keeper.holdDown(process);
        system.stop(process);
        surroundings.moveClock(process, clock);
        keeper.release(process);
    }

    private static String serviceOf(String database) {
        return database.substring(0, database.length() - "-db".length());
    }

    private void cut(String service) {
        try (Connection connection = system.databases().administer(service);
                Statement sql = connection.createStatement()) {
            sql.execute(CUT);
        } catch (SQLException e) {
            // The database is down just now from another fault: there is nothing left to cut.
        }
    }

    private void fill(String service) {
        try {
            FullDisk.fill(system.databases(), service);
        } catch (SQLException e) {
            // The database is down just now from another fault: nothing can be written there anyway.
        }
    }

    /** Makes room again, also when the database is down from another fault: its disk would be full for ever. */
    void clean(String service) {
        boolean clean = Await.holds(CLEANING, () -> {
            try {
                FullDisk.clean(system.databases(), service);
                return true;
            } catch (SQLException away) {
                return false;
            }
        });
        if (!clean) {
            throw new IllegalStateException("cannot make room in " + service + "-db");
        }
    }

    private void rewind(String service) {
        String second = service + "#2";
        boolean two = keeper.wants(second);
        keeper.holdDown(service);
        keeper.holdDown(second);
        try {
            system.stop(service);
            if (two) {
                system.stop(second);
            }
            records.rewind(service, new Random(service.hashCode()));
        } catch (ExecutionException | TimeoutException away) {
            throw new IllegalStateException("the broker did not take it: " + away.getMessage(), away);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            keeper.release(service);
            if (keeper.wants(second)) {
                keeper.release(second);
            }
        }
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
