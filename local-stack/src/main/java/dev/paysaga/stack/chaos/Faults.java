package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Stack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Does to the stack what a schedule says. */
final class Faults {

    /** Ends every session but its own, the walsender of the relay included. */
    private static final String CUT =
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type in ('client backend', 'walsender')";

    private final Stack stack;
    private final Keeper keeper;

    Faults(Stack stack, Keeper keeper) {
        this.stack = stack;
        this.keeper = keeper;
    }

    /** Whom each kind of fault may hit in this stack. */
    static Map<Fault, List<String>> targets(Stack stack) {
        List<String> processes =
                stack.states().stream().map(PaymentSystem.State::name).toList();
        List<String> databases =
                Databases.SERVICES.stream().map(service -> service + "-db").toList();
        var targets = new EnumMap<Fault, List<String>>(Fault.class);
        targets.put(Fault.KILL, processes);
        targets.put(Fault.PAUSE, processes);
        targets.put(Fault.RESTART, processes);
        targets.put(Fault.CUT_CONNECTIONS, databases);
        return targets;
    }

    /** Does it and undoes it; returns when it is over. */
    void inject(Injection injection) {
        String target = injection.target();
        switch (injection.fault()) {
            case KILL -> {
                keeper.holdDown(target);
                stack.kill(target);
                pass(injection.lasting());
                keeper.release(target);
            }
            case PAUSE -> {
                stack.pause(target);
                pass(injection.lasting());
                stack.resume(target);
            }
            case RESTART -> {
                keeper.holdDown(target);
                stack.stop(target);
                keeper.release(target);
            }
            case CUT_CONNECTIONS -> cut(target.substring(0, target.length() - "-db".length()));
        }
    }

    private void cut(String service) {
        try (Connection connection = stack.databases().administer(service);
                Statement sql = connection.createStatement()) {
            sql.execute(CUT);
        } catch (SQLException e) {
            // The database is down just now from another fault: there is nothing left to cut.
        }
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
