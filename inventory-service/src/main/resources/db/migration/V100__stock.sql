-- Units of one product of one merchant. Rows appear with the first receipt and stay.
create table shelves (
    merchant_id text   not null,
    sku         text   not null,
    on_hand     bigint not null,
    reserved    bigint not null default 0 check (reserved between 0 and on_hand), -- never oversold, whatever the code does
    version     int    not null default 0,
    primary key (merchant_id, sku)
) with (fillfactor = 70); -- every order updates some: room on the page keeps those updates off the index

-- Goods that came in. The merchant's number makes a repeated receipt harmless for ever.
create table stock_receipts (
    merchant_id text        not null,
    receipt_no  text        not null,
    sku         text        not null,
    quantity    bigint      not null check (quantity > 0),
    received_at timestamptz not null default now(),
    primary key (merchant_id, receipt_no)
);

-- What each order has asked of the shelves, and how that stands.
create table reservations (
    order_id    uuid        primary key,
    merchant_id text        not null,
    state       smallint    not null check (state between 1 and 5), -- RESERVED, COMMITTED, RELEASED, REJECTED, REFUSED
    reason      text        check (reason in ('OUT_OF_STOCK', 'UNKNOWN_SKU', 'ORDER_CANCELED', 'PAYMENT_DECLINED')),
    short_sku   text,       -- the first product that could not be served
    lines       jsonb       not null check (jsonb_typeof(lines) = 'array'), -- [{"sku": text, "quantity": units}]
    version     int         not null,
    created_at  timestamptz not null default now(),
    updated_at  timestamptz not null default now(),
    check ((reason is null) = (state in (1, 2))),
    check ((short_sku is null) = (state <> 4)),
    check ((lines = '[]') = (state = 5)) -- a fence knows no lines: the order was never seen
) with (fillfactor = 70);

-- What refunds put back on the shelf: once per refund, also when the inbox has forgotten the event.
create table restocks (
    order_id     uuid        not null references reservations,
    refund_no    text        not null,
    merchant_id  text        not null,
    lines        jsonb       not null check (jsonb_typeof(lines) = 'array' and lines <> '[]'),
    restocked_at timestamptz not null default now(),
    primary key (order_id, refund_no)
);

create table reservation_events (
    reservation_id uuid        not null, -- the order's id: an order has one reservation
    event_id       uuid        not null,
    from_state     smallint    not null,
    to_state       smallint    not null,
    version        int         not null,
    at             timestamptz not null default clock_timestamp(),
    primary key (reservation_id, event_id)
);
