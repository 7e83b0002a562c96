package dev.paysaga.saga.inbox;

import dev.paysaga.saga.ImpossibleTransition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Keeps counters: a total each, and a row for each bump that took effect, in order. Some bumps are more than it can take. */
final class Tally implements Participant<Tally.World> {

    static final String TABLES = """
            create table if not exists counters (id uuid primary key, total bigint not null check (total < 1000000));
            create table if not exists bumps (seq bigint generated always as identity, counter uuid not null, event_id uuid not null,
                                by bigint not null, note text not null);
            """;

    /** Refused as its contract says: nothing has changed. */
    static final long IMPOSSIBLE = 13;

    /** Changes something, then breaks. */
    static final long BUG = 666;

    /** Breaks a constraint when it is saved. */
    static final long OVERFLOW = 1_000_000;

    /** Means nothing to it. */
    static final long OF_NO_CONCERN = -7;

    private final JdbcOperations jdbc;

    /** The events that are no longer refused, as after a repair. */
    final Set<Long> repaired = ConcurrentHashMap.newKeySet();

    /** What the surroundings do in the middle of a decision. */
    volatile Consumer<Bumped> surroundings = bumped -> {};

    Tally(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    record Bump(UUID counter, UUID event, long by, String note) {}

    record World(Map<UUID, Long> totals, Map<UUID, Long> changed, List<Bump> bumps) {}

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of(Lane.FORWARD, Set.of(Counters.BUMPS), Lane.COMPENSATION, Set.of(Counters.UNDOS));
    }

    @Override
    public boolean concerns(SpecificRecord event) {
        return ((Bumped) event).by() != OF_NO_CONCERN;
    }

    @Override
    public World load(Collection<ReceivedEvent> events) {
        UUID[] ids = events.stream()
                .map(event -> ((Bumped) event.body()).counter())
                .distinct()
                .sorted()
                .toArray(UUID[]::new);
        var totals = new HashMap<UUID, Long>();
        jdbc.query(
                "select id, total from counters where id = any(?::uuid[]) order by id for update",
                row -> {
                    totals.put(row.getObject(1, UUID.class), row.getLong(2));
                },
                (Object) ids);
        return new World(totals, new TreeMap<>(), new ArrayList<>());
    }

    @Override
    public List<? extends SpecificRecord> react(ReceivedEvent event, World world) {
        var bumped = (Bumped) event.body();
        surroundings.accept(bumped);
        if (bumped.by() == IMPOSSIBLE && !repaired.contains(IMPOSSIBLE)) {
            throw new ImpossibleTransition("counter " + bumped.counter(), "bump by 13");
        }
        long total = world.totals().merge(bumped.counter(), bumped.by(), Long::sum);
        world.changed().put(bumped.counter(), total);
        world.bumps().add(new Bump(bumped.counter(), event.id(), bumped.by(), bumped.note()));
        if (bumped.by() == BUG && !repaired.contains(BUG)) {
            throw new NullPointerException("a bug");
        }
        return List.of(new Counted(bumped.counter(), total, bumped.note()));
    }

    @Override
    public void save(World world) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new AssertionError("saved without a transaction");
        }
        jdbc.update(
                """
                insert into counters (id, total) select * from unnest(?::uuid[], ?::bigint[])
                on conflict (id) do update set total = excluded.total
                """,
                world.changed().keySet().toArray(UUID[]::new),
                world.changed().values().toArray(Long[]::new));
        jdbc.update(
                """
                insert into bumps (counter, event_id, by, note)
                select * from unnest(?::uuid[], ?::uuid[], ?::bigint[], ?::text[])
                """,
                world.bumps().stream().map(Bump::counter).toArray(UUID[]::new),
                world.bumps().stream().map(Bump::event).toArray(UUID[]::new),
                world.bumps().stream().map(Bump::by).toArray(Long[]::new),
                world.bumps().stream().map(Bump::note).toArray(String[]::new));
    }
}
