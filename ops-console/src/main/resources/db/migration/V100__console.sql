-- What was published, as the headers say it: each event once, where it stood first.
create table published_events (
    event_id    uuid        primary key, -- begins with the time at which its saga began
    topic       text        not null,
    partition   int         not null,
    "offset"    bigint      not null,
    key         text        not null, -- the order id, for every event of a saga
    type        text        not null,
    source      text        not null,
    at          timestamptz not null, -- when it was announced
    recorded_at timestamptz not null default clock_timestamp()
);

create index published_events_of on published_events (key, at);

-- Reconciliations, done and wanted.
create table reconciliations (
    id           uuid        primary key,
    whole        boolean     not null, -- everything, not only what is recent
    requested_by text, -- null: the schedule
    requested_at timestamptz not null default now(),
    started_at   timestamptz,
    finished_at  timestamptz,
    status       text        not null check (status in ('REQUESTED', 'RUNNING', 'DONE', 'FAILED')),
    counts       jsonb,
    found        int,
    failure      text
);

create index reconciliations_recent on reconciliations (requested_at desc);

-- What they found. A difference that went away and came back is another one, with a work order of its own.
create table differences (
    id            uuid        primary key, -- also its work order's
    rule          text        not null,
    subject       text        not null,
    detail        text        not null,
    about         uuid        not null, -- the order or event; a derived id for an account, a product or a currency
    since         timestamptz, -- when the saga concerned began; null: only a look at everything can tell
    merchant_id   text,
    currency      text,
    amount        bigint, -- found less expected, in minor units or units of stock
    first_seen_at timestamptz not null default now(),
    seen          int         not null default 1, -- in how many reconciliations
    reported_at   timestamptz, -- null: seen once, which may be an accident
    gone_at       timestamptz
);

create unique index differences_open on differences (rule, subject) where gone_at is null;
