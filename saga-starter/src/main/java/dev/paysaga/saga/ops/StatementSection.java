package dev.paysaga.saga.ops;

/**
 * One list of a service's statement: the rows of a query, as they are stored. A service declares a bean for each.
 *
 * <p>Columns become members in camel case; {@code jsonb} is passed on as it is, times are RFC 3339 in UTC. What belongs to a
 * saga is filtered by when the saga began, which its id says, and not by when the row was written: so all that the services
 * know about one saga stands in the same window, whoever wrote it when; and an event with whoever announced and heard it. The
 * query may use
 *
 * <ul>
 *   <li>{@code :fromId} and {@code :toId}, uuid: the window as ids, for columns with a saga's id or an event's
 *   <li>{@code :fromTime} and {@code :toTime}, timestamptz: the window as times, for what belongs to no saga
 * </ul>
 *
 * both half-open ({@code >= from and < to}). A query that uses none is whole in every statement.
 *
 * @param name of the JSON member, in camel case
 * @param sql a query that reads row by row: sorting everything would keep everything
 */
public record StatementSection(String name, String sql) {}
