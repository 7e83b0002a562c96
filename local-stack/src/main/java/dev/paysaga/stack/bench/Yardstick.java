package dev.paysaga.stack.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The same work as a monolith would do it: all business writes of one completed order in one transaction in one database,
 * without outbox, inbox or Kafka. Nothing that is distributed can be faster; how near it comes is the measure.
 */
final class Yardstick {

    private static final String SCHEMA = "paysaga_yardstick";
    private static final int CLIENTS = 8;

    private static final String TABLES = """
            drop schema if exists %1$s cascade;
            create schema %1$s;
            set search_path = %1$s;
            create table orders(order_id uuid primary key, merchant_id text, out_trade_no text, payer text, currency text,
                amount bigint, lines jsonb, state smallint, version int, created_at timestamptz default now(),
                unique (merchant_id, out_trade_no));
            create table order_events(order_id uuid, event_id uuid, from_state smallint, to_state smallint, version int,
                at timestamptz default now(), primary key (order_id, event_id));
            create table shelves(sku text primary key, on_hand bigint check (on_hand >= 0), version int);
            create table reservations(order_id uuid primary key, lines jsonb, state smallint, version int);
            create table reservation_events(order_id uuid, event_id uuid, to_state smallint, primary key (order_id, event_id));
            create table accounts(account text primary key, posted bigint check (posted >= 0), version int);
            create table payments(order_id uuid primary key, amount bigint, state smallint, version int);
            create table payment_events(order_id uuid, event_id uuid, to_state smallint, primary key (order_id, event_id));
            create table transfers(transfer_id uuid primary key, debit text, credit text, amount bigint, kind text,
                order_id uuid, pending_of uuid unique, created_at timestamptz default now());
            create table notifications(id uuid primary key, order_id uuid, kind text, payload jsonb);
            insert into shelves select 'sku-' || i, 1000000000, 0 from generate_series(0, 19) i;
            insert into accounts select 'payer-' || i, 1000000000000, 0 from generate_series(0, 99) i;
            """;

    private static final String LINES =
            "[{\"sku\":\"sku-1\",\"quantity\":1,\"unitPrice\":1999},{\"sku\":\"sku-2\",\"quantity\":2,\"unitPrice\":1999}]";

    private Yardstick() {}

    /** Completed orders a second, with eight clients for the given time. */
    static double ordersPerSecond(Target.Database database, Duration duration) throws SQLException {
        try (Connection setup = database.open()) {
            setup.createStatement().execute(TABLES.formatted(SCHEMA));
        }
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        long done = 0;
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<Long>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit((Callable<Long>) () -> client(database, end)));
            }
            for (Future<Long> client : clients) {
                done += client.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the yardstick failed", e.getCause());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        try (Connection cleanup = database.open()) {
            cleanup.createStatement().execute("drop schema " + SCHEMA + " cascade");
        }
        return done / seconds;
    }

    private static long client(Target.Database database, long end) throws SQLException {
        long done = 0;
        try (Connection connection = database.open()) {
            connection.createStatement().execute("set search_path = " + SCHEMA);
            connection.setAutoCommit(false);
            try (var order = new MonolithOrder(connection)) {
                while (System.nanoTime() < end) {
                    order.complete();
                    connection.commit();
                    done++;
                }
            }
        }
        return done;
    }

    /** The business writes of one order, as prepared statements of one connection. */
    private static final class MonolithOrder implements AutoCloseable {

        private final List<PreparedStatement> statements = new ArrayList<>();
        private final PreparedStatement order,
                orderEvent,
                shelf,
                reservation,
                reservationEvent,
                wallet,
                payment,
                paymentEvent,
                transfer,
                notification;

        MonolithOrder(Connection db) throws SQLException {
            order = prepare(
                    db,
                    "insert into orders(order_id, merchant_id, out_trade_no, payer, currency, amount, lines, state, version)"
                            + " values (?, 'bench', ?, ?, 'EUR', 5997, ?::jsonb, 40, 3)");
            orderEvent = prepare(
                    db,
                    "insert into order_events(order_id, event_id, from_state, to_state, version)"
                            + " select ?, gen_random_uuid(), s, s + 10, s / 10 from unnest(array[0, 10, 20, 30]) s");
            shelf = prepare(db, "update shelves set on_hand = on_hand - ?, version = version + 1 where sku = ?");
            reservation = prepare(db, "insert into reservations values (?, ?::jsonb, 2, 2)");
            reservationEvent = prepare(
                    db, "insert into reservation_events select ?, gen_random_uuid(), s from unnest(array[1, 2]) s");
            wallet = prepare(db, "update accounts set posted = posted - 5997, version = version + 1 where account = ?");
            payment = prepare(db, "insert into payments values (?, 5997, 5, 2)");
            paymentEvent =
                    prepare(db, "insert into payment_events select ?, gen_random_uuid(), s from unnest(array[3, 5]) s");
            transfer = prepare(
                    db,
                    "insert into transfers(transfer_id, debit, credit, amount, kind, order_id, pending_of)"
                            + " values (?, ?, 'shop', 5997, ?, ?, ?)");
            notification =
                    prepare(db, "insert into notifications values (gen_random_uuid(), ?, 'OrderPaid', ?::jsonb)");
        }

        private PreparedStatement prepare(Connection db, String sql) throws SQLException {
            PreparedStatement statement = db.prepareStatement(sql);
            statements.add(statement);
            return statement;
        }

        void complete() throws SQLException {
            var random = ThreadLocalRandom.current();
            UUID id = UUID.randomUUID();
            String payer = "payer-" + random.nextInt(100);
            run(order, id, id.toString(), payer, LINES);
            run(orderEvent, id);
            int first = random.nextInt(19);
            run(shelf, 1, "sku-" + first); // in the order of their names: no deadlock
            run(shelf, 2, "sku-" + (first + 1));
            run(reservation, id, LINES);
            run(reservationEvent, id);
            run(wallet, payer);
            run(payment, id);
            run(paymentEvent, id);
            UUID hold = UUID.randomUUID();
            run(transfer, hold, payer, "HOLD", id, null);
            run(transfer, UUID.randomUUID(), payer, "CAPTURE", id, hold);
            run(notification, id, LINES);
        }

        private static void run(PreparedStatement statement, @Nullable Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i], type(values[i]));
            }
            statement.executeUpdate();
        }

        private static int type(@Nullable Object value) {
            return switch (value) {
                case null -> java.sql.Types.OTHER;
                case UUID id -> java.sql.Types.OTHER;
                case Integer number -> java.sql.Types.INTEGER;
                default -> java.sql.Types.VARCHAR;
            };
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement statement : statements) {
                statement.close();
            }
        }
    }
}
