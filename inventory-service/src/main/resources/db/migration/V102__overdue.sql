-- A person was asked about it, once.
alter table reservations add column overdue bool not null default false;

create index reservations_undecided on reservations (updated_at) where state = 1 and not overdue;
