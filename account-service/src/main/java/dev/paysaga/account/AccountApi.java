package dev.paysaga.account;

import dev.paysaga.account.AccountStore.Deposit;
import dev.paysaga.account.AccountStore.Posting;
import dev.paysaga.account.domain.Account;
import dev.paysaga.account.domain.Account.Kind;
import dev.paysaga.account.domain.Account.Status;
import dev.paysaga.account.domain.Reasons;
import dev.paysaga.account.domain.Transfer;
import dev.paysaga.saga.openapi.Call;
import dev.paysaga.saga.web.Caller;
import dev.paysaga.saga.web.FieldError;
import dev.paysaga.saga.web.InvalidRequest;
import dev.paysaga.saga.web.Problem;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A merchant's own accounts. Opening, paying in and closing need {@code accounts:write}, looking {@code accounts:read}.
 *
 * <p>Blocking needs {@code ops}. An operator's token without a merchant names it in the body, {@code {"merchantId": "m"}}: the
 * body is part of what an Idempotency-Key stands for, a query would not be. A token with a merchant may name no other.
 */
@RestController
@RequestMapping("/v1/accounts")
class AccountApi {

    private static final String WRITE = "hasAuthority('SCOPE_accounts:write')";
    private static final String READ = "hasAuthority('SCOPE_accounts:read')";
    private static final String OPS = "hasAuthority('SCOPE_ops')";

    /** A page nobody has to wait for. */
    private static final int LONGEST_PAGE = 200;

    private final AccountStore store;
    private final TransactionOperations transaction;

    AccountApi(AccountStore store, TransactionOperations transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    /** Opens an account. The same request again answers with the account as it is by then. */
    @PostMapping
    @PreAuthorize(WRITE)
    @Call(
            value = "Opens an account",
            answers = 201,
            refuses = {"409 account-conflict", "409 merchant-account-exists"})
    ResponseEntity<AccountView> open(@RequestBody NewAccount wanted, Caller caller) {
        Account account = wanted.checked(caller.merchant());
        AccountView view = inTransaction(() -> {
            if (!store.create(account)) {
                refuseUnlessSame(account);
            }
            return view(account(account.key()));
        });
        return ResponseEntity.created(URI.create("/v1/accounts/" + encode(account.accountId())))
                .body(view);
    }

    @GetMapping("/{accountId}")
    @Call("Reads an account")
    @PreAuthorize(READ)
    AccountView get(@PathVariable String accountId, Caller caller) {
        return view(account(Account.key(caller.merchant(), accountId)));
    }

    /** Takes money in from outside, once per {@code depositNo}. */
    @PostMapping("/{accountId}/deposits")
    @ResponseStatus(HttpStatus.CREATED)
    @PreAuthorize(WRITE)
    @Call(
            value = "Takes money in from outside, once per depositNo",
            refuses = {
                "409 account-blocked",
                "409 account-closed",
                "409 deposit-no-conflict",
                "422 balance-limit-exceeded"
            })
    DepositView deposit(@PathVariable String accountId, @RequestBody NewDeposit wanted, Caller caller) {
        wanted.check();
        String depositNo = Objects.requireNonNull(wanted.depositNo());
        long amount = Objects.requireNonNull(wanted.amount());
        return inTransaction(() -> deposit(caller.merchant(), accountId, depositNo, amount));
    }

    /** Stops new holds, deposits and refunds; what was promised before is still kept. */
    @PostMapping("/{accountId}/block")
    @PreAuthorize(OPS)
    @Call(value = "Stops new holds, deposits and refunds", refuses = "409 account-closed", optional = "merchantId")
    AccountView block(
            @PathVariable String accountId, @RequestBody(required = false) @Nullable Owner owner, Caller caller) {
        return change(merchant(caller, owner == null ? null : owner.merchantId()), accountId, Status.BLOCKED, caller);
    }

    @PostMapping("/{accountId}/unblock")
    @PreAuthorize(OPS)
    @Call(value = "Opens a blocked account again", refuses = "409 account-closed", optional = "merchantId")
    AccountView unblock(
            @PathVariable String accountId, @RequestBody(required = false) @Nullable Owner owner, Caller caller) {
        return change(merchant(caller, owner == null ? null : owner.merchantId()), accountId, Status.OPEN, caller);
    }

    /** For ever. Not while something is held: what was promised is owed. */
    @PostMapping("/{accountId}/close")
    @PreAuthorize(WRITE)
    @Call(value = "Closes an account for ever", refuses = "409 account-has-holds")
    AccountView close(@PathVariable String accountId, Caller caller) {
        return change(caller.merchant(), accountId, Status.CLOSED, caller);
    }

    /** Newest first; {@code after} is the transferId the page before ended with. */
    @GetMapping("/{accountId}/transfers")
    @Call("Lists transfers, newest first; after takes the transferId that the page before ended with")
    @PreAuthorize(READ)
    Page transfers(
            @PathVariable String accountId,
            @RequestParam @Nullable UUID after,
            @RequestParam(defaultValue = "50") int limit,
            Caller caller) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new InvalidRequest("limit", "must be from 1 to " + LONGEST_PAGE);
        }
        String key = account(Account.key(caller.merchant(), accountId)).key();
        List<Posting> postings = store.transfers(key, after, limit + 1);
        boolean more = postings.size() > limit;
        return new Page(
                postings.stream()
                        .limit(limit)
                        .map(posting -> TransferView.of(posting, key))
                        .toList(),
                more);
    }

    private DepositView deposit(String merchantId, String accountId, String depositNo, long amount) {
        Account known = account(Account.key(merchantId, accountId));
        if (store.remember(merchantId, accountId, depositNo, amount)) {
            Account account = store.lockForDeposit(known.key()).orElseThrow();
            refuseDeposit(account, amount);
            store.post(account, Transfer.deposit(account, depositNo, amount));
        }
        Deposit stored = store.deposit(merchantId, depositNo);
        if (!stored.accountId().equals(accountId) || stored.amount() != amount) {
            throw Problem.of(
                            HttpStatus.CONFLICT,
                            "deposit-no-conflict",
                            "Deposit " + depositNo + " was made before, of " + stored.amount() + " to "
                                    + stored.accountId() + ". Use another depositNo for other money.")
                    .with("depositNo", depositNo);
        }
        return new DepositView(
                depositNo,
                accountId,
                known.currency(),
                amount,
                Transfer.deposit(known, depositNo, amount).id(),
                stored.depositedAt());
    }

    private static void refuseDeposit(Account account, long amount) {
        String refusal = account.refusalToTake(amount);
        if (Reasons.BALANCE_LIMIT.equals(refusal)) {
            throw Problem.of(
                    HttpStatus.UNPROCESSABLE_CONTENT,
                    "balance-limit-exceeded",
                    "The balance of " + account.accountId() + " would exceed " + Long.MAX_VALUE + " minor units.");
        }
        if (refusal != null) {
            throw refused(account, "takes no deposits");
        }
    }

    private AccountView change(String merchantId, String accountId, Status next, Caller caller) {
        return inTransaction(() -> {
            Account account = store.lock(Account.key(merchantId, accountId)).orElseThrow(() -> missing(accountId));
            if (account.status() != next) {
                if (account.status() == Status.CLOSED) {
                    throw refused(account, "stays closed");
                }
                if (next == Status.CLOSED && account.held() > 0) {
                    throw Problem.of(
                                    HttpStatus.CONFLICT,
                                    "account-has-holds",
                                    "Account " + accountId + " has " + account.held()
                                            + " held. Close it when its orders are confirmed or canceled.")
                            .with("held", account.held());
                }
                store.change(account, next, caller.subject());
            }
            return view(account.with(next));
        });
    }

    private void refuseUnlessSame(Account wanted) {
        Account known = store.find(wanted.key())
                .orElseThrow(() -> Problem.of(
                        HttpStatus.CONFLICT,
                        "merchant-account-exists",
                        "There is a MERCHANT account in " + wanted.currency()
                                + " already; a merchant has one per currency."));
        if (known.kind() != wanted.kind() || !known.currency().equals(wanted.currency())) {
            throw Problem.of(
                            HttpStatus.CONFLICT,
                            "account-conflict",
                            "Account " + wanted.accountId() + " exists as " + known.kind() + " in " + known.currency()
                                    + ". Use another accountId.")
                    .with("accountId", wanted.accountId());
        }
    }

    private Account account(String key) {
        return store.find(key).orElseThrow(() -> missing(key.substring(key.indexOf('/') + 1)));
    }

    private AccountView view(Account account) {
        BigInteger posted = store.posted(account);
        BigInteger held = BigInteger.valueOf(account.held());
        return new AccountView(
                account.accountId(),
                account.kind(),
                account.currency(),
                posted,
                held,
                posted.subtract(held),
                account.status());
    }

    private static Problem missing(String accountId) {
        return Problem.notFound("Account " + accountId);
    }

    private static Problem refused(Account account, String what) {
        boolean closed = account.status() == Status.CLOSED;
        return Problem.of(
                HttpStatus.CONFLICT,
                closed ? "account-closed" : "account-blocked",
                "Account " + account.accountId() + " is " + (closed ? "closed" : "blocked") + " and " + what + ".");
    }

    private static String merchant(Caller caller, @Nullable String named) {
        if (caller.merchantId() == null) {
            if (named == null) {
                throw new InvalidRequest("merchantId", "must name the account's merchant, as the token has none");
            }
            return named;
        }
        if (named != null && !named.equals(caller.merchantId())) {
            throw Problem.notFound("Account of merchant " + named);
        }
        return caller.merchant();
    }

    private <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transaction.execute(status -> work.get()));
    }

    private static String encode(String segment) {
        return org.springframework.web.util.UriUtils.encodePathSegment(
                segment, java.nio.charset.StandardCharsets.UTF_8);
    }

    /** @param merchantId whose account it is; null for the token's merchant */
    record Owner(@Nullable String merchantId) {}

    /** The kinds a merchant may open. */
    enum NewKind {
        WALLET,
        MERCHANT
    }

    /**
     * An account that is wanted.
     *
     * @param accountId the merchant's own name for it
     * @param currency ISO 4217 code
     */
    record NewAccount(
            @Nullable String accountId,
            @Nullable NewKind kind,
            @Nullable String currency) {

        Account checked(String merchantId) {
            var errors = new ArrayList<FieldError>();
            Names.check(errors, "accountId", accountId);
            if (accountId != null && accountId.indexOf('/') >= 0) {
                errors.add(new FieldError("accountId", "must not contain a slash"));
            }
            if (kind == null) {
                errors.add(new FieldError("kind", "must be WALLET or MERCHANT"));
            }
            if (!Names.isCurrency(currency)) {
                errors.add(new FieldError(
                        "currency", "must be an ISO 4217 code of a currency with minor units, such as EUR"));
            }
            if (!errors.isEmpty()) {
                throw new InvalidRequest(errors);
            }
            return Account.open(
                    merchantId,
                    Objects.requireNonNull(accountId),
                    Kind.valueOf(Objects.requireNonNull(kind).name()),
                    Objects.requireNonNull(currency));
        }
    }

    /**
     * Money that a merchant says came in.
     *
     * @param depositNo the merchant's own number, unique among its deposits for ever
     * @param amount minor units of the account's currency, at least 1
     */
    record NewDeposit(@Nullable String depositNo, @Nullable Long amount) {

        void check() {
            var errors = new ArrayList<FieldError>();
            Names.check(errors, "depositNo", depositNo);
            if (amount == null || amount < 1) {
                errors.add(new FieldError("amount", "must be a whole number of minor units, at least 1"));
            }
            if (!errors.isEmpty()) {
                throw new InvalidRequest(errors);
            }
        }
    }

    /**
     * An account, as shown; money in minor units.
     *
     * @param held what open holds have promised away
     * @param available the rest of {@code posted}; may be negative for a merchant who was paid and then paid back more
     */
    record AccountView(
            String accountId,
            Kind kind,
            String currency,
            BigInteger posted,
            BigInteger held,
            BigInteger available,
            Status status) {}

    record DepositView(
            String depositNo, String accountId, String currency, long amount, UUID transferId, Instant depositedAt) {}

    /** @param hasMore whether there is another page after the last of these */
    record Page(List<TransferView> transfers, boolean hasMore) {}

    /**
     * A transfer, as an account's owner sees it.
     *
     * @param direction DEBIT if the account gives, CREDIT if it takes
     * @param counterparty the other account: the merchant's own name for it, or the ledger's
     */
    record TransferView(
            UUID transferId,
            String kind,
            String direction,
            String counterparty,
            long amount,
            String currency,
            @Nullable UUID orderId,
            @Nullable String refundNo,
            @Nullable UUID pendingOf,
            Instant createdAt) {

        static TransferView of(Posting posting, String key) {
            boolean debit = posting.debitAccount().equals(key);
            String other = debit ? posting.creditAccount() : posting.debitAccount();
            return new TransferView(
                    posting.transferId(),
                    posting.kind(),
                    debit ? "DEBIT" : "CREDIT",
                    other.substring(other.indexOf('/') + 1),
                    posting.amount(),
                    posting.currency(),
                    posting.orderId(),
                    posting.refundNo(),
                    posting.pendingOf(),
                    posting.createdAt());
        }
    }
}
