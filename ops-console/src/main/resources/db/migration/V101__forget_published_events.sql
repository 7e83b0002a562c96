-- What is recorded is read by saga, and forgotten by age, in which it lies on disk anyway.
create index published_events_recorded on published_events using brin (recorded_at);
