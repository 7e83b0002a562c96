-- For statements of a window of time. Rows come in the order of these times, so a range is a few blocks; the rest is found by
-- the order's id.
create index stock_receipts_received on stock_receipts using brin (received_at);
