package dev.paysaga.account;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.Account.Status;
import dev.paysaga.account.domain.Transfer;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Accounts, what they hold, and the money that comes in. */
@Component
final class AccountStore {

    private static final String ACCOUNT =
            "select merchant_id, account_id, kind, currency, status, posted, held from accounts ";

    private final JdbcClient jdbc;
    private final PaymentStore ledger;

    AccountStore(JdbcClient jdbc, PaymentStore ledger) {
        this.jdbc = jdbc;
        this.ledger = ledger;
    }

    Optional<Account> find(String key) {
        return jdbc.sql(ACCOUNT + "where account_key = ?")
                .param(key)
                .query(PaymentStore::account)
                .optional();
    }

    /** Locks an account against postings that depend on its status. */
    Optional<Account> lock(String key) {
        return jdbc.sql(ACCOUNT + "where account_key = ? for update")
                .param(key)
                .query(PaymentStore::account)
                .optional();
    }

    /** Locks an account that a deposit goes to: a wallet for its balance, any other for its status alone. */
    Optional<Account> lockForDeposit(String key) {
        Optional<Account> shared = jdbc.sql(ACCOUNT + "where account_key = ? and kind <> 'WALLET' for share")
                .param(key)
                .query(PaymentStore::account)
                .optional();
        return shared.isPresent() ? shared : lock(key);
    }

    /**
     * Creates an account, and with the first one in a currency that currency's SUSPENSE and EXTERNAL accounts.
     *
     * @return false if there is one of this name, or the merchant has its MERCHANT account in this currency
     */
    boolean create(Account account) {
        boolean created = insert(account);
        if (created) {
            insert(Account.open(
                    Account.SYSTEM, Kind.SUSPENSE + "-" + account.currency(), Kind.SUSPENSE, account.currency()));
            insert(Account.open(
                    Account.SYSTEM, Kind.EXTERNAL + "-" + account.currency(), Kind.EXTERNAL, account.currency()));
        }
        return created;
    }

    private boolean insert(Account account) {
        return jdbc.sql("""
                                insert into accounts (account_key, merchant_id, account_id, kind, currency)
                                values (?, ?, ?, ?, ?) on conflict do nothing
                                """)
                        .params(
                                account.key(),
                                account.merchantId(),
                                account.accountId(),
                                account.kind().name(),
                                account.currency())
                        .update()
                == 1;
    }

    /** Changes the status of an account that is locked, and writes down who did it. */
    void change(Account account, Status next, String actor) {
        jdbc.sql("""
                        with changed as (
                            update accounts set status = ?, version = version + 1, updated_at = now()
                             where account_key = ? returning account_key, version, status
                        )
                        insert into account_changes (account_key, version, from_status, to_status, actor)
                        select account_key, version, ?, status, ? from changed
                        """)
                .params(next.name(), account.key(), account.status().name(), actor)
                .update();
    }

    /**
     * Remembers a deposit, unless its number was used before. Of two at once with one number the second waits for the first.
     *
     * @return whether it is new
     */
    boolean remember(String merchantId, String accountId, String depositNo, long amount) {
        return jdbc.sql("""
                                insert into deposits (merchant_id, deposit_no, account_id, amount) values (?, ?, ?, ?)
                                on conflict do nothing
                                """).params(merchantId, depositNo, accountId, amount).update() == 1;
    }

    Deposit deposit(String merchantId, String depositNo) {
        return jdbc.sql("""
                        select account_id, amount, deposited_at from deposits where merchant_id = ? and deposit_no = ?
                        """)
                .params(merchantId, depositNo)
                .query((row, n) -> new Deposit(
                        depositNo,
                        row.getString("account_id"),
                        row.getLong("amount"),
                        row.getObject("deposited_at", OffsetDateTime.class).toInstant()))
                .single();
    }

    /** Posts a deposit to an account that is locked. */
    void post(Account account, Transfer deposit) {
        if (account.kind() == Kind.WALLET) {
            jdbc.sql("""
                            update accounts set posted = ?, version = version + 1, updated_at = now() where account_key = ?
                            """)
                    .params(account.credit(deposit.amount()).posted(), account.key())
                    .update();
        }
        ledger.append(List.of(deposit));
    }

    /**
     * What an account owns: a wallet's row, or what was rolled up plus the transfers since, in one snapshot.
     *
     * @return in minor units; without bounds, because a merchant's takings may exceed what one wallet can
     */
    BigInteger posted(Account account) {
        if (account.kind() == Kind.WALLET) {
            return BigInteger.valueOf(account.posted());
        }
        return ledger.posted(account.key());
    }

    /**
     * An account's transfers, newest first.
     *
     * @param after the last one of the page before; null for the first page
     */
    List<Posting> transfers(String key, @Nullable UUID after, int limit) {
        return jdbc.sql("""
                        with anchor as (
                            select tx, seq from transfers where transfer_id = :after
                        ), mine as (
                            (select t.* from transfers t
                              where t.debit_account = :key
                                and (:after::uuid is null or (t.tx, t.seq) < (select tx, seq from anchor))
                              order by t.tx desc, t.seq desc limit :limit)
                            union all
                            (select t.* from transfers t
                              where t.credit_account = :key
                                and (:after::uuid is null or (t.tx, t.seq) < (select tx, seq from anchor))
                              order by t.tx desc, t.seq desc limit :limit)
                        )
                        select * from mine order by tx desc, seq desc limit :limit
                        """)
                .param("key", key)
                .param("after", after)
                .param("limit", limit)
                .query(AccountStore::posting)
                .list();
    }

    private static Posting posting(ResultSet row, int n) throws SQLException {
        return new Posting(
                row.getObject("transfer_id", UUID.class),
                row.getString("kind"),
                row.getString("debit_account"),
                row.getString("credit_account"),
                row.getLong("amount"),
                row.getString("currency"),
                row.getObject("order_id", UUID.class),
                row.getString("refund_no"),
                row.getObject("pending_of", UUID.class),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    /**
     * Money that came in.
     *
     * @param depositNo the merchant's own number
     * @param amount minor units
     */
    record Deposit(String depositNo, String accountId, long amount, Instant depositedAt) {}

    /** A transfer as it is stored, with the keys of its accounts. */
    record Posting(
            UUID transferId,
            String kind,
            String debitAccount,
            String creditAccount,
            long amount,
            String currency,
            @Nullable UUID orderId,
            @Nullable String refundNo,
            @Nullable UUID pendingOf,
            Instant createdAt) {}
}
