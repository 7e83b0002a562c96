-- How far each order is. The checks are the second guard behind the domain's constructors, whatever the code does.
create table orders (
    order_id         uuid        primary key,
    merchant_id      text        not null,
    out_trade_no     text        not null,
    payer_account_id text        not null,
    currency         text        not null,
    amount           bigint      not null check (amount >= 1), -- minor units
    lines            jsonb       not null check (jsonb_typeof(lines) = 'array' and lines <> '[]'), -- [{"sku", "quantity", "unitPrice"}]
    notify_url       text,
    -- CREATED, STOCK_RESERVED, CONFIRMED, PAID, CANCELING, CANCELED, REFUNDING, PARTIALLY_REFUNDED, REFUNDED
    state            smallint    not null check (state in (10, 20, 30, 40, 50, 51, 60, 61, 62)),
    reason           text,       -- why it is canceled
    stock_committed  boolean     not null default false,
    payment_captured boolean     not null default false,
    stock_released   boolean     not null default false,
    payment_voided   boolean     not null default false,
    refunded_amount  bigint      not null default 0 check (refunded_amount between 0 and amount),
    version          int         not null,
    deadline_at      timestamptz, -- when somebody looks at it; null when nothing is awaited, or a person has been told
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    unique (merchant_id, out_trade_no), -- for ever: the business key
    check ((reason is not null) = (state in (50, 51))),
    check ((stock_committed and payment_captured) = (state in (40, 60, 61, 62))),
    check ((stock_committed or payment_captured) <= (state in (30, 40, 60, 61, 62))),
    check ((stock_released and payment_voided) = (state = 51)),
    check ((stock_released or payment_voided) <= (state in (50, 51))),
    check (refunded_amount = 0 or state in (60, 61, 62)),
    check ((state = 62) <= (refunded_amount = amount)),
    check (deadline_at is null or state in (10, 20, 30, 50, 60))
) with (fillfactor = 80); -- room for the next versions of a row on its own page

-- Listing: order ids are ordered by time.
create index orders_of_merchant on orders (merchant_id, order_id);
create index orders_of_merchant_by_state on orders (merchant_id, state, order_id);

-- Orders that wait for something: few, whatever the table's size. For deadlines and for the gauges.
create index orders_waiting on orders (deadline_at, state) where state in (10, 20, 30, 50, 60);

create table refunds (
    order_id   uuid        not null references orders,
    refund_no  text        not null,
    amount     bigint      not null check (amount >= 1), -- minor units of the order's currency
    reason     text,       -- the merchant's own words
    restock    jsonb       not null check (jsonb_typeof(restock) = 'array'), -- [{"sku", "quantity"}]
    state      smallint    not null check (state between 1 and 4), -- REQUESTED, COMPLETED, FAILED, SUSPENDED
    failure    text,       -- why it is suspended or failed
    version    int         not null,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default now(),
    primary key (order_id, refund_no),
    check ((failure is not null) = (state in (3, 4)))
);

create table order_events (
    order_id   uuid        not null,
    event_id   uuid        not null, -- why: what was heard or asked for
    from_state smallint    not null,
    to_state   smallint    not null,
    version    int         not null,
    at         timestamptz not null default clock_timestamp(),
    primary key (order_id, event_id)
);

create table refund_events (
    order_id   uuid        not null,
    refund_no  text        not null,
    event_id   uuid        not null,
    from_state smallint    not null,
    to_state   smallint    not null,
    version    int         not null,
    at         timestamptz not null default clock_timestamp(),
    primary key (order_id, refund_no, event_id)
);
