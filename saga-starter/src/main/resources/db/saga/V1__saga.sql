-- The tables of a saga's mechanics. Placeholder: relay_role, the role that replicates the outbox and may do nothing else.

-- What this service announces, written in the transaction that made it true and read by the relay through the write-ahead log.
create table outbox (
    id             uuid        not null,
    aggregate_type text        not null,
    aggregate_id   text        not null, -- the Kafka key: events of one aggregate keep their order
    event_type     text        not null,
    topic          text        not null,
    -- Never empty, and always small enough for a broker's usual limit of 1 MiB a record: what Kafka would refuse is refused
    -- here, where somebody still gets the answer.
    payload        bytea       not null check (octet_length(payload) between 1 and 900000),
    headers        jsonb       not null default '{}' check (jsonb_typeof(headers) = 'object'), -- further Kafka headers, strings
    created_at     timestamptz not null default now(),
    seq            bigint      generated always as identity, -- per aggregate in commit order: its rows are inserted under its lock
    tx             xid8        not null default pg_current_xact_id(), -- compared with relay_state.watermark
    primary key (id, created_at)
) partition by range (created_at);

create index outbox_tx on outbox (tx);

-- Catches what no day partition takes, so that a missed maintenance never refuses a payment.
create table outbox_default partition of outbox default;

grant select on outbox to ${relay_role};

-- Exactly the columns the relay sends.
create publication paysaga_outbox for table outbox (id, aggregate_id, event_type, topic, payload, headers, created_at)
    with (publish = 'insert', publish_via_partition_root = true);

-- How far the relay is. Everything that transactions below the watermark have committed is in Kafka, acknowledged.
create table relay_state (
    id          smallint    primary key default 1 check (id = 1),
    watermark   xid8        not null,
    updated_at  timestamptz not null default now(),
    healed_rows bigint      not null default 0 check (healed_rows >= 0) -- sent by query instead of from the log
) with (fillfactor = 50);

insert into relay_state (watermark) values (pg_snapshot_xmin(pg_current_snapshot()));

grant select on relay_state to ${relay_role};

-- What this service has heard, written in the transaction of the effect. Event ids begin with a time, so ranges of ids are
-- ranges of time.
create table inbox (
    consumer    text        not null,
    event_id    uuid        not null,
    topic       text        not null,
    received_at timestamptz not null default now(),
    primary key (consumer, event_id)
) partition by range (event_id);

create table inbox_default partition of inbox default;

-- Events that could not be handled (PARKED) and those behind them on their key (QUEUED), in the order of their offsets.
create table parked_events (
    id          uuid        primary key,
    consumer    text        not null,
    topic       text        not null,
    partition   int         not null,
    "offset"    bigint      not null,
    key         text        not null,
    event_id    uuid,
    event_type  text,
    payload     bytea,
    headers     jsonb       not null default '{}',
    reason      text        not null,
    status      text        not null check (status in ('PARKED', 'QUEUED', 'REDRIVEN', 'SKIPPED')),
    parked_at   timestamptz not null default now(),
    closed_at   timestamptz,
    unique (consumer, topic, partition, "offset"),
    check ((closed_at is null) = (status in ('PARKED', 'QUEUED')))
);

create index parked_events_waiting on parked_events (consumer, topic, key, "offset") where closed_at is null;

-- What a person has to decide.
create table work_orders (
    id           uuid        primary key,
    kind         text        not null,
    aggregate_id uuid        not null,
    merchant_id  text, -- null where nobody knows whose it is, as with an event that cannot be read
    refund_no    text,
    currency     text,
    amount       bigint,
    detail       text        not null,
    status       text        not null default 'OPEN' check (status in ('OPEN', 'RESOLVED')),
    opened_at    timestamptz not null default now(),
    resolved_at  timestamptz,
    action       text,
    actor        text,
    note         text,
    version      int         not null default 0,
    check ((resolved_at is null) = (status = 'OPEN'))
);

create index work_orders_open on work_orders (opened_at, id) where status = 'OPEN';
create index work_orders_aggregate on work_orders (aggregate_id);
