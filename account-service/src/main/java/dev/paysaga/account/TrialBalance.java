package dev.paysaga.account;

import dev.paysaga.saga.openapi.Call;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The books of all merchants, added up again from the single transfers in one snapshot, and compared with the balances that
 * are kept beside them. Reads the whole ledger; for operators.
 */
@RestController
class TrialBalance {

    /**
     * A difference is an account whose kept balance is not the sum of its transfers, whose transfers are in another currency,
     * or that is named by transfers and does not exist.
     */
    private static final String BOOKS = """
            with posting as (
                select p.account_key, t.currency, t.tx, p.debit, p.credit
                  from transfers t
                 cross join lateral (values (t.debit_account, t.amount, 0), (t.credit_account, 0, t.amount))
                       as p (account_key, debit, credit)
                 where t.kind not in ('HOLD', 'VOID')
            ), sums as (
                select p.account_key, p.currency, sum(p.debit) as debits, sum(p.credit) as credits,
                       coalesce(sum(p.credit - p.debit) filter (where p.tx < w.upto), 0) as rolled
                  from posting p, ledger_rollup w
                 group by p.account_key, p.currency
            ), holds as (
                select h.debit_account as account_key, h.currency, sum(h.amount) as held
                  from transfers h
                 where h.kind = 'HOLD' and not exists (select from transfers e where e.pending_of = h.transfer_id)
                 group by h.debit_account, h.currency
            ), books as (
                select coalesce(a.currency, s.currency, h.currency) as currency,
                       coalesce(a.kind, 'UNKNOWN') as kind,
                       coalesce(s.debits, 0) as debits, coalesce(s.credits, 0) as credits, coalesce(h.held, 0) as held,
                       a.account_key is null
                       or a.kind = 'WALLET' and (a.posted <> coalesce(s.credits - s.debits, 0)
                                                 or a.held <> coalesce(h.held, 0))
                       or a.kind <> 'WALLET' and coalesce(r.posted, 0) <> coalesce(s.rolled, 0) as differs
                  from accounts a
                  full join sums s on s.account_key = a.account_key and s.currency = a.currency
                  full join holds h on h.account_key = a.account_key and h.currency = a.currency
                  left join balance_rollups r on r.account_key = a.account_key
            )
            select currency, kind, sum(debits) as debits, sum(credits) as credits, sum(held) as held,
                   count(*) filter (where differs) as differences
              from books group by currency, kind order by currency, kind
            """;

    private final JdbcClient jdbc;

    TrialBalance(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/v1/ledger/trial-balance")
    @Call("Adds up the whole ledger again")
    @PreAuthorize("hasAuthority('SCOPE_ops')")
    Report get() {
        var byCurrency = new TreeMap<String, Map<String, Sums>>();
        jdbc.sql(BOOKS).query(row -> {
            byCurrency
                    .computeIfAbsent(row.getString("currency"), code -> new LinkedHashMap<>())
                    .put(
                            row.getString("kind"),
                            Sums.of(
                                    row.getBigDecimal("debits").toBigIntegerExact(),
                                    row.getBigDecimal("credits").toBigIntegerExact(),
                                    row.getBigDecimal("held").toBigIntegerExact(),
                                    row.getLong("differences")));
        });
        List<Books> currencies = byCurrency.entrySet().stream()
                .map(entry -> Books.of(entry.getKey(), entry.getValue()))
                .toList();
        return new Report(currencies.stream().allMatch(Books::balanced), currencies);
    }

    /** @param balanced whether every currency sums to zero and no kept balance differs from its transfers */
    record Report(boolean balanced, List<Books> currencies) {}

    /**
     * The books of one currency; money in minor units.
     *
     * @param posted sum over all accounts: 0
     * @param differences accounts whose kept balance is not the sum of their transfers: 0
     * @param accounts the sums by kind of account
     */
    record Books(
            String currency,
            BigInteger debits,
            BigInteger credits,
            BigInteger posted,
            BigInteger held,
            long differences,
            boolean balanced,
            Map<String, Sums> accounts) {

        static Books of(String currency, Map<String, Sums> accounts) {
            Sums all = accounts.values().stream()
                    .reduce(Sums.of(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, 0), Sums::plus);
            boolean balanced = all.posted().signum() == 0 && all.differences() == 0;
            return new Books(
                    currency,
                    all.debits(),
                    all.credits(),
                    all.posted(),
                    all.held(),
                    all.differences(),
                    balanced,
                    accounts);
        }
    }

    /** Sums over accounts of one kind. */
    record Sums(BigInteger debits, BigInteger credits, BigInteger posted, BigInteger held, long differences) {

        static Sums of(BigInteger debits, BigInteger credits, BigInteger held, long differences) {
            return new Sums(debits, credits, credits.subtract(debits), held, differences);
        }

        Sums plus(Sums other) {
            return of(
                    debits.add(other.debits),
                    credits.add(other.credits),
                    held.add(other.held),
                    differences + other.differences);
        }
    }
}
