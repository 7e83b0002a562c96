-- For statements of a window of time. Rows come in the order of these times, so a range is a few blocks; the rest is found by
-- the order's id.
create index transfers_created on transfers using brin (created_at);
create index deposits_deposited on deposits using brin (deposited_at);
