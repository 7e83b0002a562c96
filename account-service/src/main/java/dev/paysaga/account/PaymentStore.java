package dev.paysaga.account;

import dev.paysaga.account.Books.Adjustable;
import dev.paysaga.account.Books.ChangedPayment;
import dev.paysaga.account.Books.MerchantCurrency;
import dev.paysaga.account.Books.RefundKey;
import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Adjustments;
import dev.paysaga.account.domain.AttemptPolicy;
import dev.paysaga.account.domain.Payment;
import dev.paysaga.account.domain.PaymentRefund;
import dev.paysaga.account.domain.Terms;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.account.domain.WorkItem;
import dev.paysaga.events.PostToSuspense;
import dev.paysaga.events.ResolveWorkOrder;
import dev.paysaga.events.StockReserved;
import dev.paysaga.events.WorkOrderResolved;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.outbox.Announcement;
import dev.paysaga.saga.outbox.Outbox;
import dev.paysaga.saga.state.TransitionLog;
import dev.paysaga.saga.workorder.WorkOrder;
import dev.paysaga.saga.workorder.WorkOrders;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * The rows behind the decisions, as many statements for a batch as for one event. One lock order for everybody, so that
 * nobody waits in a circle: payments by order id, work orders by id, wallets by key, merchants' accounts by key.
 *
 * <p>Wallets are locked to be changed. Of a merchant's account only the status matters, and nothing is written to it; its
 * row is locked in share mode, so that many postings go on beside each other, while blocking or closing it waits for
 * them and the later ones see it. A person's posting of a difference, which is rare, wants to know what the account has: it
 * locks the row alone, waits for the others' postings, and adds up.
 */
@Component
final class PaymentStore {

    /** Part of event ids: never to be changed. */
    private static final String ACCOUNT = "account";

    private static final String SETTLED = "SETTLED";

    private static final String PAYMENT = """
            select order_id, merchant_id, payer_account, merchant_account, currency, amount, state, reason, overdue,
                   version
              from payments
            """;

    private static final String ACCOUNT_ROW =
            "select merchant_id, account_id, kind, currency, status, posted, held from accounts a";

    private final JdbcOperations jdbc;
    private final TransitionLog log;
    private final WorkOrders workOrders;
    private final Outbox outbox;
    private final RestockJson restocks;
    private final CompensationMeter compensations;
    private final AccountProperties properties;

    PaymentStore(
            JdbcOperations jdbc,
            TransitionLog log,
            WorkOrders workOrders,
            Outbox outbox,
            RestockJson restocks,
            CompensationMeter compensations,
            AccountProperties properties) {
        this.jdbc = jdbc;
        this.log = log;
        this.workOrders = workOrders;
        this.outbox = outbox;
        this.restocks = restocks;
        this.compensations = compensations;
        this.properties = properties;
    }

    /**
     * What one event or due time needs before it can be decided about.
     *
     * @param asked the request for a hold, which names accounts; null for anything else
     * @param workOrders those that are to be opened or resolved
     * @param posting a difference that a person has posted; null for anything else
     * @param account the account that a person named; null if none
     */
    record Concern(
            UUID orderId,
            @Nullable StockReserved asked,
            Set<UUID> workOrders,
            @Nullable PostToSuspense posting,
            @Nullable String account) {

        static Concern about(UUID orderId) {
            return new Concern(orderId, null, Set.of(), null, null);
        }

        static Concern of(StockReserved asked) {
            return new Concern(asked.getOrderId(), asked, Set.of(), null, null);
        }

        static Concern of(ResolveWorkOrder command) {
            return new Concern(
                    command.getOrderId(), null, Set.of(command.getWorkOrderId()), null, command.getAccount());
        }

        static Concern of(PostToSuspense command) {
            UUID workOrder = command.getWorkOrderId();
            return new Concern(
                    command.getOrderId(),
                    null,
                    Set.of(workOrder, Adjustments.suspendedBy(workOrder), Adjustments.refusedBy(workOrder)),
                    command,
                    null);
        }

        @Nullable
        String account(Map<UUID, Payment> payments) {
            return posting == null
                    ? account
                    : Adjustments.account(posting, payments.getOrDefault(orderId, Payment.unseen(orderId)));
        }
    }

    /** Locks all that these concerns may touch. */
    Books lock(Collection<Concern> concerns) {
        Set<UUID> overdue = new HashSet<>();
        Map<UUID, Payment> payments = lockPayments(concerns, overdue);
        Map<UUID, WorkItem> workItems = lockWorkItems(concerns);
        Set<String> payers = new TreeSet<>();
        Set<MerchantCurrency> merchants = new LinkedHashSet<>();
        for (Concern concern : concerns) {
            StockReserved asked = concern.asked();
            Payment payment = payments.get(concern.orderId());
            Terms terms = payment == null ? null : payment.terms();
            if (payment == null && asked != null) {
                payers.add(Account.key(asked.getMerchantId(), asked.getPayerAccountId()));
                merchants.add(new MerchantCurrency(asked.getMerchantId(), asked.getCurrency()));
            } else if (payment != null && asked == null && terms != null && canMove(payment)) {
                payers.add(terms.payerAccount());
                merchants.add(new MerchantCurrency(payment.merchantId(), terms.currency()));
            }
        }
        Map<UUID, String> origins = origins(workItems.values());
        Set<String> adjusted = new TreeSet<>(origins.values());
        concerns.stream()
                .map(concern -> concern.account(payments))
                .filter(Objects::nonNull)
                .forEach(adjusted::add);
        payers.addAll(adjusted);
        Map<String, Account> wallets = lockWallets(payers);
        Adjustable adjustable = adjustable(origins, adjusted);
        return new Books(this::attempts, payments, overdue, wallets, lockMerchants(merchants), adjustable, workItems);
    }

    /** @throws OptimisticLockingFailureException if somebody else was faster; nothing is lost by trying again */
    void save(Books books) {
        insert(books.newPayments());
        update(books.changedPayments());
        upsert(books.changedRefunds());
        updateWallets(books.changedWallets());
        append(books.newTransfers());
        file(books.filedItems());
        books.settledOverdue().forEach(this::closeWorkOrder);
        log.append(books.transitions());
        compensations.count(books);
    }

    Optional<Payment> find(UUID orderId, String merchantId) {
        List<Payment> found =
                jdbc.query(PAYMENT + " where order_id = ? and merchant_id = ?", this::payment, orderId, merchantId);
        return withRefunds(found).values().stream().findFirst();
    }

    private static boolean canMove(Payment payment) {
        return switch (payment.status()) {
            case AUTHORIZED, CAPTURED, REFUNDING, REFUNDED -> true;
            case UNSEEN, REVERSED, FAILED, CANCELED -> false;
        };
    }

    // ---- reading ----

    /** @param overdue is given those about whose hold a person was asked */
    private Map<UUID, Payment> lockPayments(Collection<Concern> concerns, Set<UUID> overdue) {
        UUID[] ids = concerns.stream().map(Concern::orderId).distinct().toArray(UUID[]::new);
        return withRefunds(jdbc.query(
                PAYMENT + " where order_id = any(?) order by order_id for update",
                (row, number) -> {
                    Payment payment = payment(row, number);
                    if (row.getBoolean("overdue")) {
                        overdue.add(payment.orderId());
                    }
                    return payment;
                },
                (Object) ids));
    }

    private Map<UUID, Payment> withRefunds(List<Payment> found) {
        var payments = new HashMap<UUID, Payment>();
        found.forEach(payment -> payments.put(payment.orderId(), payment));
        UUID[] captured = found.stream()
                .filter(payment -> canMove(payment) && payment.status() != Payment.Status.AUTHORIZED)
                .map(Payment::orderId)
                .toArray(UUID[]::new);
        if (captured.length > 0) {
            var refunds = new HashMap<UUID, List<PaymentRefund>>();
            jdbc.query(
                    """
                    select order_id, refund_no, amount, restock, state, attempts, next_attempt_at, reason
                      from payment_refunds where order_id = any(?) order by created_at, refund_no
                    """,
                    row -> {
                        refunds.computeIfAbsent(row.getObject("order_id", UUID.class), id -> new ArrayList<>())
                                .add(refund(row));
                    },
                    (Object) captured);
            refunds.forEach((id, rows) -> payments.computeIfPresent(id, (key, payment) -> payment.withAll(rows)));
        }
        return payments;
    }

    private Map<UUID, WorkItem> lockWorkItems(Collection<Concern> concerns) {
        var items = new HashMap<UUID, WorkItem>();
        // One by one: they come from people.
        concerns.stream()
                .map(Concern::workOrders)
                .flatMap(Set::stream)
                .distinct()
                .sorted()
                .forEach(id ->
                        workOrders.lock(id).flatMap(PaymentStore::workItem).ifPresent(item -> items.put(id, item)));
        return items;
    }

    private Map<String, Account> lockWallets(Set<String> keys) {
        var wallets = new HashMap<String, Account>();
        if (!keys.isEmpty()) {
            jdbc.query(
                            ACCOUNT_ROW
                                    + " where account_key = any(?) and kind = 'WALLET' order by account_key for update",
                            PaymentStore::account,
                            (Object) keys.toArray(String[]::new))
                    .forEach(wallet -> wallets.put(wallet.key(), wallet));
        }
        return wallets;
    }

    private Map<MerchantCurrency, Account> lockMerchants(Set<MerchantCurrency> wanted) {
        var merchants = new HashMap<MerchantCurrency, Account>();
        if (!wanted.isEmpty()) {
            jdbc.query(
                            ACCOUNT_ROW
                                    + " join unnest(?::text[], ?::text[]) as wanted (merchant_id, currency)"
                                    + " using (merchant_id, currency)"
                                    + " where kind = 'MERCHANT' order by account_key for share of a",
                            PaymentStore::account,
                            wanted.stream().map(MerchantCurrency::merchantId).toArray(String[]::new),
                            wanted.stream().map(MerchantCurrency::currency).toArray(String[]::new))
                    .forEach(account ->
                            merchants.put(new MerchantCurrency(account.merchantId(), account.currency()), account));
        }
        return merchants;
    }

    /** The accounts that these work orders' differences were about. */
    private Map<UUID, String> origins(Collection<WorkItem> items) {
        UUID[] open = items.stream()
                .filter(item -> item.kind() == WorkItem.Kind.DIFFERENCE_SUSPENDED && item.isOpen())
                .map(WorkItem::id)
                .toArray(UUID[]::new);
        var origins = new HashMap<UUID, String>();
        if (open.length > 0) {
            jdbc.query(
                    """
                    select t.work_order_id, a.account_key
                      from transfers t join accounts a on a.account_key in (t.debit_account, t.credit_account)
                     where t.work_order_id = any(?) and t.kind = 'ADJUSTMENT' and a.kind in ('WALLET', 'MERCHANT')
                    """,
                    row -> {
                        origins.put(row.getObject(1, UUID.class), row.getString(2));
                    },
                    (Object) open);
        }
        return origins;
    }

    /** Locks those of these accounts that are merchants' against every posting, and adds up what they have. */
    private Adjustable adjustable(Map<UUID, String> origins, Set<String> keys) {
        if (keys.isEmpty()) {
            return Adjustable.NOTHING;
        }
        var takings = new HashMap<String, Account>();
        var posted = new HashMap<String, BigInteger>();
        jdbc.query(
                        ACCOUNT_ROW
                                + " where account_key = any(?) and kind = 'MERCHANT' order by account_key for update",
                        PaymentStore::account,
                        (Object) keys.toArray(String[]::new))
                .forEach(account -> takings.put(account.key(), account));
        takings.keySet().forEach(key -> posted.put(key, posted(key)));
        return new Adjustable(origins, takings, posted);
    }

    /**
     * What was rolled up of an account that is no wallet plus the transfers since, in one snapshot.
     *
     * @return in minor units; without bounds, because a merchant's takings may exceed what one wallet can
     */
    BigInteger posted(String key) {
        return Objects.requireNonNull(jdbc.queryForObject("""
                        select coalesce(r.posted, 0)
                             + (select coalesce(sum(t.amount), 0) from transfers t
                                 where t.credit_account = k.key and t.tx >= w.upto and t.kind not in ('HOLD', 'VOID'))
                             - (select coalesce(sum(t.amount), 0) from transfers t
                                 where t.debit_account = k.key and t.tx >= w.upto and t.kind not in ('HOLD', 'VOID'))
                          from (values (?)) k (key) cross join ledger_rollup w
                          left join balance_rollups r on r.account_key = k.key
                        """, BigDecimal.class, key))
                .toBigIntegerExact();
    }

    private AttemptPolicy attempts() {
        return properties.attempts(now());
    }

    /** By the database's clock, which all replicas share. */
    private Instant now() {
        OffsetDateTime now = jdbc.queryForObject("select clock_timestamp()", OffsetDateTime.class);
        return Objects.requireNonNull(now).toInstant();
    }

    private Payment payment(ResultSet row, int number) throws SQLException {
        String payer = row.getString("payer_account");
        return new Payment(
                row.getObject("order_id", UUID.class),
                row.getString("merchant_id"),
                Payment.Status.of(row.getInt("state")),
                payer == null
                        ? null
                        : new Terms(
                                payer,
                                row.getString("merchant_account"),
                                row.getString("currency"),
                                row.getLong("amount")),
                row.getString("reason"),
                List.of(),
                row.getInt("version"));
    }

    private PaymentRefund refund(ResultSet row) throws SQLException {
        OffsetDateTime next = row.getObject("next_attempt_at", OffsetDateTime.class);
        return new PaymentRefund(
                row.getString("refund_no"),
                row.getLong("amount"),
                restocks.read(row.getString("restock")),
                PaymentRefund.Status.of(row.getInt("state")),
                row.getInt("attempts"),
                next == null ? null : next.toInstant(),
                row.getString("reason"));
    }

    static Account account(ResultSet row, int number) throws SQLException {
        return new Account(
                row.getString("merchant_id"),
                row.getString("account_id"),
                Account.Kind.valueOf(row.getString("kind")),
                row.getString("currency"),
                Account.Status.valueOf(row.getString("status")),
                row.getLong("posted"),
                row.getLong("held"));
    }

    /** Empty for a work order that the saga's mechanics opened: its resolution is no posting. */
    private static Optional<WorkItem> workItem(WorkOrder order) {
        for (WorkItem.Kind kind : WorkItem.Kind.values()) {
            if (kind.name().equals(order.kind())) {
                Long amount = order.amount();
                WorkOrder.Resolution how = order.resolution();
                return Optional.of(new WorkItem(
                        order.id(),
                        kind,
                        order.aggregateId(),
                        Objects.requireNonNullElse(order.merchantId(), ""),
                        order.refundNo(),
                        order.currency(),
                        amount == null ? 0 : amount,
                        order.detail(),
                        how == null ? null : new WorkItem.Resolution(how.action(), how.actor(), how.note())));
            }
        }
        return Optional.empty();
    }

    // ---- writing ----

    private void insert(List<Payment> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        int inserted = jdbc.update(
                """
                insert into payments
                       (order_id, merchant_id, payer_account, merchant_account, currency, amount, state, reason,
                        refunded_amount, version)
                select * from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::smallint[],
                                     ?::text[], ?::bigint[], ?::int[])
                on conflict (order_id) do nothing
                """,
                column(fresh, UUID[]::new, Payment::orderId),
                column(fresh, String[]::new, Payment::merchantId),
                column(fresh, String[]::new, payment -> terms(payment, Terms::payerAccount)),
                column(fresh, String[]::new, payment -> terms(payment, Terms::merchantAccount)),
                column(fresh, String[]::new, payment -> terms(payment, Terms::currency)),
                column(fresh, Long[]::new, payment -> Objects.requireNonNullElse(terms(payment, Terms::amount), 0L)),
                column(fresh, Short[]::new, payment -> (short) payment.status().code()),
                column(fresh, String[]::new, Payment::reason),
                column(fresh, Long[]::new, Payment::refundedAmount),
                column(fresh, Integer[]::new, Payment::version));
        demand(inserted, fresh.size(), "payments were stored by somebody else");
    }

    private void update(List<ChangedPayment> changes) {
        if (changes.isEmpty()) {
            return;
        }
        int updated = jdbc.update(
                """
                update payments p
                   set state = c.state, refunded_amount = c.refunded_amount, version = c.version, updated_at = now()
                  from unnest(?::uuid[], ?::int[], ?::smallint[], ?::bigint[], ?::int[])
                       as c (order_id, version_before, state, refunded_amount, version)
                 where p.order_id = c.order_id and p.version = c.version_before
                """,
                column(changes, UUID[]::new, change -> change.after().orderId()),
                column(changes, Integer[]::new, ChangedPayment::versionBefore),
                column(changes, Short[]::new, change ->
                        (short) change.after().status().code()),
                column(changes, Long[]::new, change -> change.after().refundedAmount()),
                column(changes, Integer[]::new, change -> change.after().version()));
        demand(updated, changes.size(), "payments were changed by somebody else");
    }

    /** Under the lock of the payment, so a version needs no check. */
    private void upsert(Map<RefundKey, PaymentRefund> changed) {
        if (changed.isEmpty()) {
            return;
        }
        List<RefundKey> keys = List.copyOf(changed.keySet());
        List<PaymentRefund> refunds = keys.stream().map(changed::get).toList();
        jdbc.update(
                """
                insert into payment_refunds as r
                       (order_id, refund_no, amount, restock, state, attempts, next_attempt_at, reason)
                select * from unnest(?::uuid[], ?::text[], ?::bigint[], ?::jsonb[], ?::smallint[], ?::int[],
                                     ?::timestamptz[], ?::text[])
                on conflict (order_id, refund_no) do update
                   set state = excluded.state, attempts = excluded.attempts, next_attempt_at = excluded.next_attempt_at,
                       reason = excluded.reason, version = r.version + 1, updated_at = now()
                """,
                column(keys, UUID[]::new, RefundKey::orderId),
                column(keys, String[]::new, RefundKey::refundNo),
                column(refunds, Long[]::new, PaymentRefund::amount),
                column(refunds, String[]::new, refund -> restocks.write(refund.restock())),
                column(refunds, Short[]::new, refund -> (short) refund.status().code()),
                column(refunds, Integer[]::new, PaymentRefund::attempts),
                column(refunds, String[]::new, refund -> text(refund.nextAttemptAt())),
                column(refunds, String[]::new, PaymentRefund::reason));
    }

    private void updateWallets(List<Account> wallets) {
        if (wallets.isEmpty()) {
            return;
        }
        int updated = jdbc.update(
                """
                update accounts a
                   set posted = w.posted, held = w.held, version = a.version + 1, updated_at = now()
                  from unnest(?::text[], ?::bigint[], ?::bigint[]) as w (account_key, posted, held)
                 where a.account_key = w.account_key
                """,
                column(wallets, String[]::new, Account::key),
                column(wallets, Long[]::new, Account::posted),
                column(wallets, Long[]::new, Account::held));
        demand(updated, wallets.size(), "wallets are gone");
    }

    /** Appends to the ledger. */
    void append(List<Transfer> transfers) {
        if (transfers.isEmpty()) {
            return;
        }
        jdbc.update(
                """
                insert into transfers
                       (transfer_id, debit_account, credit_account, amount, currency, kind, order_id, refund_no, pending_of,
                        work_order_id)
                select * from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::uuid[],
                                     ?::text[], ?::uuid[], ?::uuid[])
                """,
                column(transfers, UUID[]::new, Transfer::id),
                column(transfers, String[]::new, Transfer::debitAccount),
                column(transfers, String[]::new, Transfer::creditAccount),
                column(transfers, Long[]::new, Transfer::amount),
                column(transfers, String[]::new, Transfer::currency),
                column(transfers, String[]::new, transfer -> transfer.kind().name()),
                column(transfers, UUID[]::new, Transfer::orderId),
                column(transfers, String[]::new, Transfer::refundNo),
                column(transfers, UUID[]::new, Transfer::pendingOf),
                column(transfers, UUID[]::new, Transfer::workOrderId));
    }

    /** An open question that is there already is said anew. */
    private void file(Collection<WorkItem> items) {
        List<WorkOrder> open = items.stream()
                .filter(WorkItem::isOpen)
                .map(PaymentStore::workOrder)
                .toList();
        List<WorkOrder> opened = workOrders.openAll(open);
        open.stream()
                .filter(order -> !opened.contains(order))
                .forEach(order -> workOrders.amend(order.id(), order.detail()));
        for (WorkItem item : items) {
            WorkItem.Resolution how = item.resolution();
            if (how != null) {
                workOrders.resolve(item.id(), new WorkOrder.Resolution(how.action(), how.actor(), how.note()));
            }
        }
    }

    /** A hold that was settled after all needs nobody any more. */
    private void closeWorkOrder(Payment settled) {
        UUID id = WorkItem.idOf(WorkItem.Kind.HOLD_UNDECIDED, settled.orderId(), null);
        if (workOrders.resolve(id, new WorkOrder.Resolution(SETTLED, ACCOUNT, "the hold was settled after all"))) {
            outbox.append(new Announcement(
                    EventIds.derive(id, ACCOUNT, "Settled", 0),
                    List.of(new WorkOrderResolved(id, settled.orderId(), settled.merchantId(), SETTLED, ACCOUNT)),
                    null));
        }
    }

    private static WorkOrder workOrder(WorkItem item) {
        String currency = item.currency();
        return currency == null
                ? WorkOrder.about(item.id(), item.kind().name(), item.orderId(), item.merchantId(), item.detail())
                : WorkOrder.aboutMoney(
                        item.id(),
                        item.kind().name(),
                        item.orderId(),
                        item.merchantId(),
                        item.refundNo(),
                        currency,
                        item.suspended(),
                        item.detail());
    }

    private static <T> @Nullable T terms(Payment payment, Function<Terms, ? extends @Nullable T> field) {
        Terms terms = payment.terms();
        return terms == null ? null : field.apply(terms);
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    /** One column of a statement that takes all rows at once. */
    private static <R, C> Object column(
            List<R> rows, IntFunction<C[]> array, Function<? super R, ? extends @Nullable C> value) {
        return rows.stream().map(value).toArray(array);
    }

    private static void demand(int stored, int expected, String otherwise) {
        if (stored != expected) {
            throw new OptimisticLockingFailureException(expected - stored + " of " + expected + " " + otherwise);
        }
    }
}
