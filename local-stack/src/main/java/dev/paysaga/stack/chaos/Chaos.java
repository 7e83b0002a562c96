package dev.paysaga.stack.chaos;

import dev.paysaga.reconciliation.Difference;
import dev.paysaga.reconciliation.Report;
import dev.paysaga.stack.client.Services;
import dev.paysaga.stack.demo.Reconciliation;
import dev.paysaga.stack.processes.Await;
import dev.paysaga.stack.processes.PaymentSystem;
import dev.paysaga.stack.processes.Quiet;
import dev.paysaga.stack.processes.StackFailure;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A run of {@code ./paysaga chaos} on a stack that is up: load and faults, rest, verdict. */
public final class Chaos {

    /** Five minutes is the longest deadline of an order; whatever is not at rest by then will not be. */
    private static final Duration SETTLING = Duration.ofMinutes(10);

    /** Stories of so many orders are told; more of them rarely say more. */
    private static final int STORIES = 3;

    private static final List<Errand> STORM = List.of(Errand.CANCEL, Errand.REFUND_TO_CLOSED_ACCOUNT, Errand.BUY);

    /** So slow that a thousand orders last as long as ten starts of a service. */
    private static final int STORM_RATE = 7;

    private static final int UNDER_WAY_SECONDS = 180;

    private static final Duration BACK_AGAIN = Duration.ofMinutes(2);

    private static final Duration WORKING = Duration.ofSeconds(3);

    private final PaymentSystem system;
    private final PrintStream out;
    private final Services services;
    private final Chronicle chronicle = new Chronicle();
    private final Map<Fault, List<Duration>> recoveries = new ConcurrentHashMap<>();
    private final AtomicInteger notInjected = new AtomicInteger();

    /** @param out where the run is told, a line for each fault */
    public Chaos(PaymentSystem system, PrintStream out) {
        this(system, Map.of(), out);
    }

    /**
     * Clients whose requests go to the replicas in turn.
     *
     * @param replicas how many of a service, by its name; one of those that are not named
     * @param out where the run is told, a line for each fault
     */
    public Chaos(PaymentSystem system, Map<String, Integer> replicas, PrintStream out) {
        this.system = system;
        this.out = out;
        this.services = new Services(system, replicas);
    }

    /**
     * Faults of every kind under clients of every kind, to the verdict.
     *
     * @param surroundings the stack is wired through
     * @param length how long clients come and faults happen
     * @param rate clients a second
     * @param interval between two faults
     * @throws StackFailure when the stack is so broken that no verdict can be given
     */
    public Result run(Surroundings surroundings, long seed, Duration length, int rate, Duration interval) {
        List<Injection> schedule = Schedule.of(seed, length, interval, Faults.targets(system, surroundings));
        String setting = "%.3g minutes at %d clients/s, a fault every %d s"
                .formatted(length.toSeconds() / 60.0, rate, interval.toSeconds());
        out.printf("%s, seed %d: %d faults%n", setting, seed, schedule.size());
        surroundings.limits().forEach(out::println);
        var counts = new LinkedHashMap<String, Long>();
        return judged(seed, setting, (ticket, random) -> Errand.draw(random), counts, (crowd, keeper) -> {
            var recovery = new Recovery(services, "probe-" + newName());
            recovery.prepare();
            play(schedule, new Faults(system, keeper, surroundings), recovery, () -> crowd.come(rate, length));
            counts.put("faults", (long) schedule.size() - notInjected.get());
            counts.put("faults that could not be done", (long) notInjected.get());
        });
    }

    /**
     * A storm of compensations: a third of the orders is canceled at a random moment, a third is paid and refunded to an
     * account that is closed by then, the others are paid; meanwhile some services are killed, again as soon as they are back.
     *
     * @param kills of each victim
     * @throws StackFailure when the stack is so broken that no verdict can be given
     */
    public Result storm(int orders, int kills, List<String> victims) {
        String setting = "%d orders, %s killed %d times each".formatted(orders, String.join(" and ", victims), kills);
        out.println(setting);
        var counts = new LinkedHashMap<String, Long>();
        Crowd.Mix mix = (ticket, random) -> STORM.get((int) (ticket % STORM.size()));
        return judged(ThreadLocalRandom.current().nextLong(1_000_000), setting, mix, counts, (crowd, keeper) -> {
            var killed = new AtomicLong();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                threads.submit(() -> crowd.come(STORM_RATE, Duration.ofSeconds(orders / STORM_RATE + 1)));
                victims.forEach(victim -> threads.submit(() -> {
                    for (int kill = 0; kill < kills; kill++) {
                        keeper.holdDown(victim);
                        system.kill(victim);
                        chronicle.note(victim + " killed");
                        killed.incrementAndGet();
                        keeper.release(victim);
                        Await.holds(BACK_AGAIN, () -> system.isReady(victim));
                        // Some moments of work between two deaths: clients are to be served in the end.
                        LockSupport.parkNanos(WORKING.toNanos());
                    }
                }));
            }
            counts.put("kills", killed.get());
        });
    }

    /**
     * Something happens to one process after the other, under load that goes on until the last has had its turn.
     *
     * @param rate clients a second
     * @param what happens, for the report, such as {@code killed}
     * @param victims in their order
     * @param step returns when the victim is back
     * @throws StackFailure when the system is so broken that no verdict can be given
     */
    public Result inTurn(int rate, String what, List<String> victims, Consumer<String> step) {
        String setting = "%s %s in turn, %d clients/s".formatted(String.join(", ", victims), what, rate);
        out.println(setting);
        long seed = ThreadLocalRandom.current().nextLong(1_000_000);
        return judged(
                seed, setting, (ticket, random) -> Errand.draw(random), new LinkedHashMap<>(), (crowd, keeper) -> {
                    var over = new AtomicBoolean();
                    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        threads.submit(() -> crowd.come(rate, come -> !over.get()));
                        try {
                            Await.until("clients are served", UNDER_WAY_SECONDS, () -> crowd.served() > 5L * rate);
                            for (String victim : victims) {
                                keeper.holdDown(victim);
                                step.accept(victim);
                                keeper.release(victim);
                                chronicle.note(victim + " was " + what);
                            }
                        } finally {
                            over.set(true);
                        }
                    }
                });
    }

    /**
     * Every one of these replicas is asked to stop and started again, the next one when it is healthy, under load that goes on
     * until the last is back.
     *
     * @param rate clients a second
     * @param replicas in the order in which they are restarted, such as {@code order} and {@code order#2}
     * @throws StackFailure when the system is so broken that no verdict can be given, or a replica does not come back
     */
    public Rollout rollout(int rate, List<String> replicas) {
        var restarts = new ArrayList<GracefulRestart>();
        Result result = inTurn(rate, "restarted", replicas, replica -> {
            var restart = GracefulRestart.of(system, replica);
            out.println("  " + restart);
            restarts.add(restart);
        });
        return new Rollout(
                result,
                restarts,
                services.repeats().reasons(),
                services.repeats().longest());
    }

    private interface Play {
        void play(Crowd crowd, Keeper keeper);
    }

    private Result judged(long seed, String setting, Crowd.Mix mix, Map<String, Long> counts, Play play) {
        String run = "chaos-" + newName();
        var promises = new Promises();
        List<String> processes = system.states().stream()
                .filter(PaymentSystem.State::isReady)
                .map(PaymentSystem.State::name)
                .toList();
        Quiet.Pending pending;
        try (var requests = new Requests(system, promises);
                var keeper = new Keeper(system, chronicle, processes)) {
            var crowd = new Crowd(seed, mix, run, services, requests, promises);
            crowd.prepare();
            play.play(crowd, keeper);
            counts.put("clients", crowd.errands());
            counts.put("clients without an answer", crowd.unserved());
            counts.put("processes that gave up and were started again", (long) keeper.gaveUp());
            out.println("The last client has gone. Waiting until nothing is on its way ...");
            pending = system.quiet().await(SETTLING);
        }
        Report books = Reconciliation.of(system);
        List<Difference> broken = broken(run, promises);
        counts.put("promises given", (long) promises.given().size());
        count(run, counts);
        var result = new Result(
                seed, setting, pending.none() ? "" : pending.toString(), books, broken, Map.copyOf(recoveries), counts);
        tell(result);
        return result;
    }

    private static String newName() {
        return Long.toString(System.currentTimeMillis(), 36);
    }

    /** Faults in their own threads: a schedule does not wait for one to be over. */
    private void play(List<Injection> schedule, Faults faults, Recovery recovery, Runnable load) {
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(load);
            for (Injection injection : schedule) {
                long due = start + injection.at().toNanos();
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.submit(() -> play(injection, faults, recovery));
            }
        }
    }

    private void play(Injection injection, Faults faults, Recovery recovery) {
        chronicle.note(injection.toString());
        try {
            faults.inject(injection);
        } catch (RuntimeException failed) {
            notInjected.incrementAndGet();
            chronicle.note("%s: could not be done: %s".formatted(injection, failed));
            out.printf(
                    "  %5.1f s  %-50s could not be done: %s%n", injection.at().toMillis() / 1e3, injection, failed);
            return;
        }
        Duration recovered = recovery.measure();
        recoveries
                .computeIfAbsent(injection.fault(), fault -> new CopyOnWriteArrayList<>())
                .add(recovered);
        chronicle.note("%s: over it after %.1f s".formatted(injection, recovered.toMillis() / 1e3));
        out.printf(
                "  %5.1f s  %-50s over it after %5.1f s%n",
                injection.at().toMillis() / 1e3, injection, recovered.toMillis() / 1e3);
    }

    private List<Difference> broken(String run, Promises promises) {
        try {
            return PromiseAudit.of(system.databases(), run, promises);
        } catch (SQLException e) {
            throw new StackFailure("Cannot read the books: " + e.getMessage() + ". See ./paysaga status", e);
        }
    }

    private void count(String run, Map<String, Long> counts) {
        try (Connection order = system.databases().connect("order");
                Connection account = system.databases().connect("account")) {
            String mine = " from orders where merchant_id like '" + run + "%'";
            counts.put("orders", number(order, "select count(*)" + mine));
            counts.put("  paid", number(order, "select count(*)" + mine + " and state in (40, 60, 61, 62)"));
            counts.put("  canceled and compensated", number(order, "select count(*)" + mine + " and state = 51"));
            counts.put(
                    "refunds",
                    number(order, "select count(*) from refunds where order_id in (select order_id" + mine + ")"));
            counts.put(
                    "  in suspense, with a work order",
                    number(
                            account,
                            "select count(*) from work_orders where refund_no is not null and merchant_id like '" + run
                                    + "%'"));
        } catch (SQLException e) {
            throw new StackFailure("Cannot read the books: " + e.getMessage() + ". See ./paysaga status", e);
        }
    }

    private static long number(Connection db, String query) throws SQLException {
        try (Statement sql = db.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void tell(Result result) {
        out.println();
        out.print(result.books().text());
        out.println();
        out.print(result.markdown());
        if (!result.clean()) {
            out.printf("%nNOT CLEAN. The seed is %d.%n", result.seed());
            if (!result.pending().isEmpty()) {
                out.println("  still on its way: " + result.pending());
            }
            result.wrong().stream().limit(50).forEach(difference -> out.println("  ✗ " + difference));
            result.wrong().stream()
                    .flatMap(difference -> orderId(difference.subject()).stream())
                    .distinct()
                    .limit(STORIES)
                    .forEach(this::tellStory);
            if (result.wrong().isEmpty()) {
                chronicle.entries().forEach(entry -> out.printf("  %s  %s%n", time(entry.at()), entry.what()));
            }
        }
    }

    /** The order's own timeline with the faults between its lines. */
    private void tellStory(UUID orderId) {
        out.printf("%n  %s%n", orderId);
        try {
            var lines = new ArrayList<>(OrderStory.of(system.databases(), orderId));
            chronicle
                    .entries()
                    .forEach(entry -> lines.add(new Chronicle.Entry(entry.at(), "FAULT        " + entry.what())));
            lines.sort(Comparator.comparing(Chronicle.Entry::at));
            lines.forEach(line -> out.printf("    %s  %s%n", time(line.at()), line.what()));
        } catch (SQLException e) {
            out.println("    cannot be told: " + e.getMessage());
        }
    }

    private static String time(Instant at) {
        return at.truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString();
    }

    private static List<UUID> orderId(String subject) {
        try {
            return List.of(UUID.fromString(subject.substring(0, Math.min(36, subject.length()))));
        } catch (IllegalArgumentException aboutNoOrder) {
            return List.of();
        }
    }
}
