package dev.paysaga.simulation.history;

import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Parties;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accounts as they may have been. A history of one order does not tell what others did to them in between. */
final class Ledgers {

    /** Far more than any order, and far less than an account can hold. */
    private static final long PLENTY = 1_000_000_000_000_000L;

    private Ledgers() {}

    /** Every pair that makes a difference to a new order. */
    static List<Parties> ofANewOrder(String merchantId, String payer, String currency) {
        List<@Nullable Account> payers = new ArrayList<>(wallets(merchantId, payer, currency));
        payers.add(Account.open(merchantId, payer, Account.Kind.WALLET, currency));
        payers.add(Account.open(merchantId, payer, Account.Kind.WALLET, currency.equals("EUR") ? "USD" : "EUR"));
        payers.add(Account.open(merchantId, payer, Account.Kind.MERCHANT, currency));
        payers.add(null);
        List<@Nullable Account> merchants = new ArrayList<>(takings(merchantId, currency));
        merchants.add(null);
        return pairs(payers, merchants);
    }

    /** Every pair that makes a difference to an order whose accounts were found: accounts are never deleted. */
    static List<Parties> ofAKnownOrder(String merchantId, String payer, String currency) {
        return pairs(wallets(merchantId, payer, currency), takings(merchantId, currency));
    }

    private static List<Parties> pairs(
            List<? extends @Nullable Account> payers, List<? extends @Nullable Account> merchants) {
        var all = new ArrayList<Parties>();
        payers.forEach(payer -> merchants.forEach(merchant -> all.add(new Parties(payer, merchant))));
        return all;
    }

    private static List<Account> wallets(String merchantId, String payer, String currency) {
        var rich =
                new Account(merchantId, payer, Account.Kind.WALLET, currency, Account.Status.OPEN, 2 * PLENTY, PLENTY);
        return List.of(rich, rich.with(Account.Status.BLOCKED), rich.with(Account.Status.CLOSED));
    }

    private static List<Account> takings(String merchantId, String currency) {
        Account takings = Account.open(merchantId, "takings", Account.Kind.MERCHANT, currency);
        return List.of(takings, takings.with(Account.Status.BLOCKED), takings.with(Account.Status.CLOSED));
    }
}
