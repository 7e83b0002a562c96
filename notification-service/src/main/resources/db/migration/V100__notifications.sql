-- What merchants are told, written once when an outcome becomes known. Sending is another table's business: it will refer to
-- these rows and keep attempts and due times of its own.
create table notifications (
    notification_id uuid        primary key, -- the id of the event that led to it
    order_id        uuid        not null,
    merchant_id     text        not null,
    out_trade_no    text        not null,
    kind            text        not null check (kind in ('OrderPaid', 'OrderClosed', 'OrderRefunded', 'OrderRefundFailed')),
    refund_no       text,
    notify_url      text,       -- where to send it instead of the merchant's endpoint
    payload         jsonb       not null,
    recorded_at     timestamptz not null default now(),
    unique nulls not distinct (order_id, kind, refund_no), -- once per outcome, also when the inbox has forgotten the event
    check ((refund_no is null) = (kind in ('OrderPaid', 'OrderClosed')))
);
