package dev.paysaga.reconciliation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paysaga.reconciliation.Books.Transfer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Balances, shelves and suspense. Each stands beside what its single postings add up to in the snapshot it was read in, so it
 * is right or wrong at any moment, whatever is on its way.
 */
final class BalanceCheck {

    /** @param kind null: transfers name it, and it does not exist */
    private record Account(
            String key,
            @Nullable String merchant,
            @Nullable String kind,
            String currency,
            BigInteger posted,
            BigInteger held,
            BigInteger postedByTransfers,
            BigInteger heldByTransfers,
            BigInteger rolledUp,
            BigInteger rolledUpByTransfers) {}

    /**
     * What was posted about one difference, all into suspense, or out of there if negative.
     *
     * @param account the account it was about
     * @param merchant the work order's; null if nobody knows
     * @param about what the work order is about; null if there is no such work order
     * @param owed what the work order says is in suspense; null if it is resolved, or there is none
     */
    private record Adjustment(
            UUID workOrder,
            String currency,
            @Nullable String account,
            BigInteger adjusted,
            BigInteger returned,
            BigInteger paidOut,
            @Nullable UUID about,
            @Nullable String merchant,
            @Nullable BigInteger owed) {}

    private final Findings findings;
    private final List<Adjustment> adjustments = new ArrayList<>();
    private final List<Account> accounts = new ArrayList<>();

    /** What the open work orders of account-service say is in suspense, by currency. */
    private final Map<String, BigInteger> covered = new TreeMap<>();

    /**
     * What was captured into suspense because the merchant's account was not open, or taken from it by a person, and was not
     * given back since, by account.
     */
    private final Map<String, BigInteger> capturedPast = new HashMap<>();

    BalanceCheck(Findings findings) {
        this.findings = findings;
    }

    /** Reads what is whole in every statement. */
    void read(Statements statements) {
        for (String service : Comparison.SERVICES) {
            List<String> sections = switch (service) {
                case "account" -> List.of("accounts", "adjustments", "parkedEvents", "workOrders");
                case "inventory" -> List.of("shelves", "parkedEvents", "workOrders");
                default -> List.of("parkedEvents", "workOrders");
            };
            statements.read(service, Window.ALL, sections, (section, row) -> {
                switch (section) {
                    case "accounts" -> accounts.add(account(row));
                    case "adjustments" -> adjustments.add(adjustment(row));
                    case "shelves" -> shelf(row);
                    case "workOrders" -> workOrder(service, row);
                    default -> findings.count("parked events", 1);
                }
            });
        }
    }

    /** Takes note of the captures into suspense of one window. */
    void add(List<Transfer> transfers) {
        Set<String> suspense = suspense().stream().map(Account::key).collect(Collectors.toSet());
        Map<UUID, Transfer> holds = transfers.stream()
                .filter(transfer -> transfer.kind().equals("HOLD"))
                .collect(Collectors.toMap(Transfer::id, hold -> hold));
        for (Transfer transfer : transfers) {
            if (transfer.kind().equals("CAPTURE") && suspense.contains(transfer.credit())) {
                Transfer hold = transfer.pendingOf() == null ? null : holds.get(transfer.pendingOf());
                if (hold != null) {
                    capturedPast.merge(hold.credit(), BigInteger.valueOf(transfer.amount()), BigInteger::add);
                }
            } else if (transfer.kind().equals("RETURN") && transfer.refund() == null && transfer.workOrder() == null) {
                capturedPast.merge(transfer.credit(), BigInteger.valueOf(-transfer.amount()), BigInteger::add);
            }
        }
    }

    /** To be called when everything has been read. */
    void run() {
        adjustments.forEach(this::adjusted);
        var sums = new TreeMap<String, BigInteger>();
        for (Account account : accounts) {
            sums.merge(account.currency(), account.postedByTransfers(), BigInteger::add);
            switch (account.kind()) {
                case null ->
                    differ(
                            "transfer-without-account",
                            account,
                            "transfers in " + account.currency() + " name it, and there is no such account",
                            account.postedByTransfers());
                case "WALLET" -> wallet(account);
                default -> noWallet(account);
            }
        }
        sums.forEach((currency, sum) -> {
            if (sum.signum() != 0) {
                findings.about("ledger-does-not-sum-to-zero", currency, null, "sum " + sum, currency, sum);
            }
        });
        coveredSuspense();
    }

    private void wallet(Account account) {
        equal("balance-differs-from-ledger", account, "posted", account.posted(), account.postedByTransfers());
        equal("held-differs-from-ledger", account, "held", account.held(), account.heldByTransfers());
        BigInteger free = account.postedByTransfers().subtract(account.heldByTransfers());
        if (free.signum() < 0) {
            differ(
                    "wallet-overdrawn",
                    account,
                    "posted " + account.postedByTransfers() + " is less than held " + account.heldByTransfers(),
                    free);
        }
    }

    private void noWallet(Account account) {
        equal("rollup-differs-from-ledger", account, "rolled up", account.rolledUp(), account.rolledUpByTransfers());
        BigInteger past = capturedPast.getOrDefault(account.key(), BigInteger.ZERO);
        BigInteger left = account.postedByTransfers().add(past);
        if ("MERCHANT".equals(account.kind()) && left.signum() < 0) {
            differ(
                    "merchant-overdrawn",
                    account,
                    "posted " + account.postedByTransfers() + ", captured past the account " + past,
                    left);
        }
    }

    private void coveredSuspense() {
        var inSuspense = new TreeMap<String, BigInteger>();
        suspense()
                .forEach(account -> inSuspense.merge(account.currency(), account.postedByTransfers(), BigInteger::add));
        var currencies = new HashSet<>(inSuspense.keySet());
        currencies.addAll(covered.keySet());
        for (String currency : currencies) {
            BigInteger found = inSuspense.getOrDefault(currency, BigInteger.ZERO);
            BigInteger expected = covered.getOrDefault(currency, BigInteger.ZERO);
            if (!found.equals(expected)) {
                findings.about(
                        "suspense-not-covered",
                        currency,
                        null,
                        "in suspense " + found + ", open work orders " + expected,
                        currency,
                        found.subtract(expected));
            }
        }
    }

    /** What a person had taken from a merchant is no debt of the merchant's, unless it was given back. */
    private void adjusted(Adjustment adjustment) {
        if (adjustment.account() != null && adjustment.adjusted().signum() > 0) {
            BigInteger taken = adjustment.adjusted().add(adjustment.returned());
            capturedPast.merge(adjustment.account(), taken, BigInteger::add);
        }
        BigInteger found = adjustment.adjusted().add(adjustment.returned()).add(adjustment.paidOut());
        BigInteger expected = adjustment.owed() == null ? BigInteger.ZERO : adjustment.owed();
        if (!found.equals(expected)) {
            UUID about = adjustment.about();
            String work = adjustment.workOrder().toString();
            String state = about == null
                    ? "there is no such work order"
                    : adjustment.owed() == null ? "the work order is resolved" : "the work order is about " + expected;
            String detail = "in suspense for work order " + work + " " + found + ", and " + state;
            findings.about(
                    "adjustment-not-covered",
                    work,
                    adjustment.merchant(),
                    detail,
                    adjustment.currency(),
                    found.subtract(expected));
        }
    }

    private static Adjustment adjustment(JsonNode row) {
        return new Adjustment(
                UUID.fromString(row.path("workOrderId").asText()),
                row.path("currency").asText(),
                row.path("accountKey").textValue(),
                number(row, "adjusted"),
                number(row, "returned"),
                number(row, "paidOut"),
                Books.uuid(row.path("aggregateId").textValue()),
                row.path("merchantId").textValue(),
                "OPEN".equals(row.path("status").textValue()) ? number(row, "owed") : null);
    }

    private List<Account> suspense() {
        return accounts.stream()
                .filter(account -> "SUSPENSE".equals(account.kind()))
                .toList();
    }

    private void shelf(JsonNode row) {
        String merchant = row.path("merchantId").asText();
        String shelf = merchant + "/" + row.path("sku").asText();
        BigInteger onHand = number(row, "onHand");
        BigInteger reserved = number(row, "reserved");
        BigInteger expected =
                number(row, "received").subtract(number(row, "committed")).add(number(row, "restocked"));
        if (!onHand.equals(expected)) {
            findings.about(
                    "shelf-differs",
                    shelf,
                    merchant,
                    "on hand " + onHand + ", receipts - commits + restocks = " + expected,
                    null,
                    onHand.subtract(expected));
        }
        BigInteger promised = number(row, "reservedByReservations");
        if (!reserved.equals(promised)) {
            findings.about(
                    "reserved-differs",
                    shelf,
                    merchant,
                    "reserved " + reserved + ", open reservations " + promised,
                    null,
                    reserved.subtract(promised));
        }
        if (reserved.compareTo(onHand) > 0 || reserved.signum() < 0) {
            findings.about("oversold", shelf, merchant, reserved + " of " + onHand, null, onHand.subtract(reserved));
        }
    }

    private void workOrder(String service, JsonNode row) {
        findings.count("open work orders", 1);
        String currency = row.path("currency").textValue();
        if (service.equals("account") && currency != null) {
            covered.merge(currency, number(row, "amount"), BigInteger::add);
        }
    }

    private void equal(String rule, Account account, String what, BigInteger stored, BigInteger added) {
        if (!stored.equals(added)) {
            differ(rule, account, what + " " + stored + ", transfers say " + added, stored.subtract(added));
        }
    }

    private void differ(String rule, Account account, String detail, BigInteger amount) {
        findings.about(rule, account.key(), account.merchant(), detail, account.currency(), amount);
    }

    private static Account account(JsonNode row) {
        return new Account(
                row.path("accountKey").asText(),
                row.path("merchantId").textValue(),
                row.path("kind").textValue(),
                row.path("currency").asText(),
                number(row, "posted"),
                number(row, "held"),
                number(row, "postedByTransfers"),
                number(row, "heldByTransfers"),
                number(row, "rolledUp"),
                number(row, "rolledUpByTransfers"));
    }

    /** Sums may be more than a long can hold. */
    private static BigInteger number(JsonNode row, String member) {
        return row.path(member).bigIntegerValue();
    }
}
