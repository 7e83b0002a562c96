-- Accounts. A wallet's posted and held are exact: each posting locks its row. The others take part in too many postings for
-- that (a merchant's account in all of its orders); their balance is what balance_rollups and the later transfers say.
create table accounts (
    account_key text        primary key check (account_key = merchant_id || '/' || account_id),
    merchant_id text        not null, -- '~' for the ledger's own
    account_id  text        not null check (account_id <> '' and position('/' in account_id) = 0),
    kind        text        not null check (kind in ('WALLET', 'MERCHANT', 'SUSPENSE', 'EXTERNAL')),
    currency    text        not null check (currency ~ '^[A-Z]{3}$'),
    status      text        not null default 'OPEN' check (status in ('OPEN', 'BLOCKED', 'CLOSED')),
    posted      bigint      not null default 0, -- minor units; always 0 unless a wallet
    held        bigint      not null default 0, -- the part of posted that open holds have promised away
    version     int         not null default 0,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    check (held between 0 and posted), -- nobody spends what is not there, whatever the code does
    check (kind = 'WALLET' or posted = 0 and held = 0),
    check (status <> 'CLOSED' or held = 0)
) with (fillfactor = 70); -- every order updates a wallet: room on the page keeps those updates off the indexes

create unique index accounts_one_merchant_account on accounts (merchant_id, currency) where kind = 'MERCHANT';

-- Who opened, blocked or closed an account.
create table account_changes (
    account_key text        not null references accounts,
    version     int         not null,
    from_status text        not null,
    to_status   text        not null,
    actor       text        not null,
    at          timestamptz not null default clock_timestamp(),
    primary key (account_key, version)
);

-- The ledger. Every row balances by its shape: what one account gives another takes. HOLD and VOID move nothing; a HOLD is
-- pending until one CAPTURE or VOID ends it. No foreign keys to accounts: they would lock a hot merchant's row with every
-- posting; the keys come from rows the posting transaction has locked, and the trial balance looks for strays.
create table transfers (
    transfer_id    uuid        primary key, -- derived from order, kind and refund: a repeated posting collides
    debit_account  text        not null,
    credit_account text        not null,
    amount         bigint      not null check (amount > 0), -- minor units
    currency       text        not null,
    kind           text        not null
        check (kind in ('DEPOSIT', 'HOLD', 'CAPTURE', 'VOID', 'REFUND', 'SUSPEND', 'PAY_OUT', 'RETURN')),
    order_id       uuid,
    refund_no      text,
    pending_of     uuid        unique, -- one capture or void per hold
    created_at     timestamptz not null default now(),
    seq            bigint      generated always as identity,
    tx             xid8        not null default pg_current_xact_id(), -- compared with ledger_rollup.upto
    check (debit_account <> credit_account),
    check ((order_id is null) = (kind = 'DEPOSIT')),
    check ((pending_of is not null) = (kind in ('CAPTURE', 'VOID'))),
    check (refund_no is not null or kind not in ('REFUND', 'SUSPEND')),
    check (refund_no is null or kind in ('REFUND', 'SUSPEND', 'PAY_OUT', 'RETURN'))
);

create unique index transfers_of_order on transfers (order_id, kind, refund_no) nulls not distinct where order_id is not null;

-- Money leaves a refund once, and a suspended capture too (its refund_no is null): to the payer, elsewhere or back.
create unique index transfers_one_outcome on transfers (order_id, refund_no) nulls not distinct
    where kind in ('REFUND', 'PAY_OUT', 'RETURN');

create index transfers_debit on transfers (debit_account, tx, seq);
create index transfers_credit on transfers (credit_account, tx, seq);
create index transfers_tx on transfers (tx);

create function refuse_to_change_the_ledger() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is only appended to: correct a transfer by another transfer'
        using errcode = 'restrict_violation';
end $$;

create trigger transfers_are_for_ever before update or delete or truncate on transfers
    for each statement execute function refuse_to_change_the_ledger();

-- What all transfers of transactions below ledger_rollup.upto add up to, for every account that is not a wallet. numeric,
-- because the sum over many wallets may exceed what one of them can hold.
create table balance_rollups (
    account_key text    primary key,
    posted      numeric not null
) with (fillfactor = 50);

-- The watermark. Below it no transaction is in progress any more, so nothing can still appear there: neither seq nor
-- created_at would do, since both are given out before the commit and become visible in another order.
-- After a restore into another cluster, whose transaction ids start anew: delete from balance_rollups, and set upto to '0'.
create table ledger_rollup (
    id   smallint primary key default 1 check (id = 1),
    upto xid8     not null
) with (fillfactor = 50);

insert into ledger_rollup (upto) values (pg_snapshot_xmin(pg_current_snapshot()));

-- Money that came in. The merchant's number makes a repeated deposit harmless for ever.
create table deposits (
    merchant_id  text        not null,
    deposit_no   text        not null,
    account_id   text        not null,
    amount       bigint      not null check (amount > 0),
    deposited_at timestamptz not null default now(),
    primary key (merchant_id, deposit_no)
);

-- What each order has asked of its payer's money, and how that stands.
create table payments (
    order_id         uuid        primary key,
    merchant_id      text        not null,
    payer_account    text,       -- key, as asked: it may not exist
    merchant_account text,       -- key; null if there is none in this currency
    currency         text,
    amount           bigint      not null default 0 check (amount >= 0),
    state            smallint    not null check (state in (3, 5, 6, 7, 8, 9, 10)),
    reason           text,
    refunded_amount  bigint      not null default 0 check (refunded_amount between 0 and amount),
    overdue          bool        not null default false, -- a person was asked about its hold
    version          int         not null,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    check ((payer_account is null) = (state = 10)), -- a fence knows no terms: the request was never seen
    check ((currency is null) = (state = 10) and (amount = 0) = (state = 10)),
    check ((reason is null) = (state <> 9)),
    check (merchant_account is not null or state in (9, 10)),
    check ((refunded_amount = amount) = (state in (7, 10)))
) with (fillfactor = 70);

create index payments_held on payments (updated_at) where state = 3 and not overdue;

create table payment_refunds (
    order_id        uuid        not null references payments,
    refund_no       text        not null,
    amount          bigint      not null check (amount > 0),
    restock         jsonb       not null check (jsonb_typeof(restock) = 'array'), -- [{"sku": text, "quantity": units}]
    state           smallint    not null check (state between 1 and 6), -- TRYING COMPLETED FAILED SUSPENDED PAID_OUT RETURNED
    attempts        int         not null check (attempts between 0 and 3),
    next_attempt_at timestamptz,
    reason          text,
    version         int         not null default 0,
    created_at      timestamptz not null default clock_timestamp(),
    updated_at      timestamptz not null default now(),
    primary key (order_id, refund_no),
    check ((next_attempt_at is not null) = (state = 1))
);

create index payment_refunds_due on payment_refunds (next_attempt_at) where state = 1;

create table payment_events (
    payment_id uuid        not null, -- the order's id: an order has one payment
    event_id   uuid        not null,
    from_state smallint    not null, -- 0: not seen before
    to_state   smallint    not null,
    version    int         not null,
    at         timestamptz not null default clock_timestamp(),
    primary key (payment_id, event_id)
);
