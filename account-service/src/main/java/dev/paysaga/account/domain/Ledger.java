package dev.paysaga.account.domain;

import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.UUID;

/** What transfers add up to: the meaning of the ledger, written once more and slowly, for whoever checks the books. */
public final class Ledger {

    /**
     * An account's balance, in minor units. Without bounds, because the ledger's own accounts may exceed what one wallet can.
     *
     * @param posted what it took minus what it gave
     * @param held what open holds have promised away
     */
    public record Balance(BigInteger posted, BigInteger held) {

        public static final Balance ZERO = new Balance(BigInteger.ZERO, BigInteger.ZERO);

        private Balance post(BigInteger amount) {
            return new Balance(posted.add(amount), held);
        }

        private Balance hold(BigInteger amount) {
            return new Balance(posted, held.add(amount));
        }
    }

    /**
     * The balances of all accounts named by these transfers, by key.
     *
     * @throws IllegalStateException if a transfer is there twice, or a hold is ended twice or was never made
     */
    public static Map<String, Balance> balances(Collection<Transfer> transfers) {
        var balances = new HashMap<String, Balance>();
        var ids = new HashSet<UUID>();
        var openHolds = new HashSet<UUID>();
        for (Transfer transfer : transfers) {
            if (!ids.add(transfer.id())) {
                throw new IllegalStateException("twice in the ledger: " + transfer);
            }
            BigInteger amount = BigInteger.valueOf(transfer.amount());
            Balance debit = balances.getOrDefault(transfer.debitAccount(), Balance.ZERO);
            Balance credit = balances.getOrDefault(transfer.creditAccount(), Balance.ZERO);
            if (transfer.kind() == Transfer.Kind.HOLD) {
                openHolds.add(transfer.id());
                debit = debit.hold(amount);
            } else if (transfer.pendingOf() != null) {
                if (!openHolds.remove(transfer.pendingOf())) {
                    throw new IllegalStateException("ends no open hold: " + transfer);
                }
                debit = debit.hold(amount.negate());
            }
            if (transfer.kind().movesMoney()) {
                debit = debit.post(amount.negate());
                credit = credit.post(amount);
            }
            balances.put(transfer.debitAccount(), debit);
            balances.put(transfer.creditAccount(), credit);
        }
        return balances;
    }

    private Ledger() {}
}
