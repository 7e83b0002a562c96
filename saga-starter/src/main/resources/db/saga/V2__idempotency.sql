-- Requests that must happen once, with their answers. A row is either leased (somebody works on it) or finished (the answer
-- is known); which of both, and until when, only this database's clock says.
create table idempotency_keys (
    scope        text        not null, -- whose key it is: a merchant's or, without one, a subject's
    key          text        not null check (length(key) between 1 and 255),
    fingerprint  bytea       not null check (octet_length(fingerprint) = 32), -- SHA-256 over method, path, canonical body
    token        uuid        not null, -- the fence: only the holder who knows it may finish
    claimed_at   timestamptz not null default clock_timestamp(),
    leased_until timestamptz,
    finished_at  timestamptz,
    status       smallint,
    headers      text[], -- name, value, name, value, ...
    body         bytea,
    primary key (scope, key),
    check ((leased_until is null) = (finished_at is not null)),
    check (num_nulls(finished_at, status, headers, body) in (0, 4))
) with (fillfactor = 20); -- an answer, some times as long, is written beside its claim: the page needs room for it

-- For the clean-up. Not on finished_at: an index on a column that changes would make every answer an index write, too.
create index idempotency_keys_claimed on idempotency_keys (claimed_at);
