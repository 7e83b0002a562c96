package dev.paysaga.account.domain;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * An account of a merchant's whose money a person may move, locked, with what there is to take.
 *
 * @param available in minor units, never negative: what a wallet may spend, or what a merchant's account has taken in
 */
public record Purse(Account account, long available) {

    public Purse {
        if (available < 0) {
            throw new IllegalArgumentException("nothing less than nothing can be taken from " + account.key());
        }
    }

    /** What holds have promised away stays where it is. */
    public static Purse of(Account wallet) {
        return new Purse(wallet, wallet.available());
    }

    /** @param posted what the merchant's account has by its transfers; less than nothing, if it is in debt */
    public static Purse of(Account merchant, BigInteger posted) {
        BigInteger there = posted.max(BigInteger.ZERO);
        return new Purse(merchant, there.bitLength() < Long.SIZE ? there.longValue() : Long.MAX_VALUE);
    }

    String key() {
        return account.key();
    }

    /** Why this much does not come in, or go out if negative; null if it does. Blocked or not, an account may be relieved. */
    @Nullable
    String refusal(long change) {
        if (change < 0) {
            return available < -change ? Reasons.INSUFFICIENT_FUNDS : null;
        }
        return account.kind() == Account.Kind.WALLET ? account.refusalToTake(change) : account.refusal();
    }

    /** With this much more, or less if negative; only a wallet carries its balance. */
    Purse after(long change) {
        if (account.kind() != Account.Kind.WALLET) {
            return new Purse(account, Math.addExact(available, change));
        }
        return of(change < 0 ? account.debit(-change) : account.credit(change));
    }
}
