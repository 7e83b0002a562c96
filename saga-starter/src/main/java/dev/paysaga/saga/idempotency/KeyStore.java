package dev.paysaga.saga.idempotency;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The keys in the database. Its clock alone decides whether a lease has ended, whatever the clocks of the replicas say.
 *
 * <p>Claiming and freeing are single statements that commit by themselves and do not wait for the disk
 * ({@code synchronous_commit = off}): whatever loses a claim, a crash of the server, also kills the holder's
 * transaction; and the commit of the effect, which comes later in the same log, makes the claim durable before it.
 */
final class KeyStore {

    /** Somebody else was faster that often between two looks: then he is at work. */
    private static final int MAX_LOOKS = 5;

    /** A pool hands out a session that the server has ended without knowing it, and may hold that many of them. */
    private static final int MAX_ENDED_SESSIONS = 10;

    private static final String UNHURRIED =
            "with unhurried as materialized (select set_config('synchronous_commit', 'off', true)) ";

    private final JdbcClient jdbc;
    private final long leaseMillis;
    private final long retentionMillis;

    KeyStore(JdbcClient jdbc, Duration lease, Duration retention) {
        this.jdbc = jdbc;
        this.leaseMillis = lease.toMillis();
        this.retentionMillis = retention.toMillis();
    }

    /** Claims a key, atomically; of any number of claims at once, one is granted. Must not run in a transaction. */
    Claim claim(IdempotencyKey key, byte[] fingerprint) {
        UUID token = UUID.randomUUID();
        for (int look = 0; look < MAX_LOOKS; look++) {
            Claim claim = tryToClaim(key, fingerprint, token);
            if (claim != null) {
                return claim;
            }
        }
        return new Claim.InProgress();
    }

    /** Null if what holds the key changed while we looked. */
    private @Nullable Claim tryToClaim(IdempotencyKey key, byte[] fingerprint, UUID token) {
        Look look = look(key, fingerprint, token);
        if (look.granted()) {
            return new Claim.Granted(token, false);
        }
        Row row = look.row();
        if (row == null) { // somebody claimed it between the two halves of the statement
            return null;
        }
        if (row.forgotten()) {
            return takeOver(key, fingerprint, token) ? new Claim.Granted(token, false) : null;
        }
        if (!row.sameRequest()) {
            return new Claim.OtherRequest();
        }
        if (row.answer() != null) {
            return new Claim.Finished(row.answer());
        }
        if (row.abandoned()) {
            return takeOver(key, fingerprint, token) ? new Claim.Granted(token, true) : null;
        }
        return new Claim.InProgress();
    }

    /**
     * @param granted whether the key was unknown and is ours now
     * @param row what was known of it; null if nothing was
     */
    private record Look(boolean granted, @Nullable Row row) {}

    private record Row(
            boolean sameRequest,
            boolean forgotten,
            boolean abandoned,
            @Nullable Answer answer) {}

    /** One statement for both: a request that comes again costs one look, and a new one does not cost two. */
    private Look look(IdempotencyKey key, byte[] fingerprint, UUID token) {
        return jdbc.sql(UNHURRIED + """
                        , known as materialized (
                            select fingerprint = :fingerprint as same_request,
                                   coalesce(finished_at, leased_until)
                                       < clock_timestamp() - :retention * interval '1 millisecond' as forgotten,
                                   status is null and leased_until < clock_timestamp() as abandoned,
                                   status, headers, body
                            from idempotency_keys
                            where scope = :scope and key = :key
                        ), claimed as (
                            insert into idempotency_keys (scope, key, fingerprint, token, leased_until)
                            select :scope, :key, :fingerprint, :token,
                                   clock_timestamp() + :lease * interval '1 millisecond'
                            from unhurried
                            where not exists (select from known)
                            on conflict do nothing
                            returning token
                        )
                        select claimed.token is not null as granted, known.*
                        from (values (1)) as one left join known on true left join claimed on true""")
                .param("fingerprint", fingerprint)
                .param("retention", retentionMillis)
                .param("scope", key.scope())
                .param("key", key.value())
                .param("token", token)
                .param("lease", leaseMillis)
                .query((result, number) -> new Look(result.getBoolean("granted"), row(result)))
                .single();
    }

    private static @Nullable Row row(ResultSet result) throws SQLException {
        boolean sameRequest = result.getBoolean("same_request");
        return result.wasNull()
                ? null
                : new Row(sameRequest, result.getBoolean("forgotten"), result.getBoolean("abandoned"), answer(result));
    }

    /** Judged again under the row's lock: of two that saw the lease end, one is granted. */
    private boolean takeOver(IdempotencyKey key, byte[] fingerprint, UUID token) {
        return jdbc.sql(UNHURRIED + """
                        update idempotency_keys
                        set fingerprint = :fingerprint, token = :token, claimed_at = clock_timestamp(),
                            leased_until = clock_timestamp() + :lease * interval '1 millisecond',
                            finished_at = null, status = null, headers = null, body = null
                        from unhurried
                        where scope = :scope and key = :key
                          and (status is null and leased_until < clock_timestamp() and fingerprint = :fingerprint
                               or coalesce(finished_at, leased_until)
                                   < clock_timestamp() - :retention * interval '1 millisecond')""")
                        .param("fingerprint", fingerprint)
                        .param("token", token)
                        .param("lease", leaseMillis)
                        .param("retention", retentionMillis)
                        .param("scope", key.scope())
                        .param("key", key.value())
                        .update()
                == 1;
    }

    /**
     * Stores the answer, in the transaction of the effect if there is one.
     *
     * @return false if somebody else has taken over: then the effect must not be committed
     */
    boolean finish(IdempotencyKey key, UUID token, Answer answer) {
        return jdbc.sql("""
                        update idempotency_keys
                        set leased_until = null, finished_at = clock_timestamp(),
                            status = :status, headers = :headers, body = :body
                        where scope = :scope and key = :key and token = :token and status is null""")
                        .param("status", answer.status())
                        .param("headers", flat(answer.headers()))
                        .param("body", answer.body())
                        .param("scope", key.scope())
                        .param("key", key.value())
                        .param("token", token)
                        .update()
                == 1;
    }

    /**
     * Gives the key back, unless it was finished or somebody else has taken over. Must not run in a transaction.
     *
     * <p>Often it is the end of a session that spoiled the effect, and then the others in the pool have ended as well:
     * each of them is left behind, so that the key need not wait for the end of its lease.
     */
    void free(IdempotencyKey key, UUID token) {
        for (int ended = 0; ; ended++) {
            try {
                delete(key, token);
                return;
            } catch (CannotGetJdbcConnectionException e) { // the database itself is away
                throw e;
            } catch (DataAccessResourceFailureException e) {
                if (ended == MAX_ENDED_SESSIONS) {
                    throw e;
                }
            }
        }
    }

    private void delete(IdempotencyKey key, UUID token) {
        jdbc.sql(UNHURRIED + """
                        delete from idempotency_keys using unhurried
                        where scope = :scope and key = :key and token = :token and status is null""")
                .param("scope", key.scope())
                .param("key", key.value())
                .param("token", token)
                .update();
    }

    /**
     * Forgets at most so many keys whose time has come, passing by those that somebody looks at.
     *
     * @return how many
     */
    int forget(int limit) {
        return jdbc.sql(UNHURRIED + """
                        delete from idempotency_keys using unhurried
                        where ctid = any (array(
                            select ctid from idempotency_keys
                            where claimed_at < clock_timestamp() - :retention * interval '1 millisecond'
                              and coalesce(finished_at, leased_until)
                                  < clock_timestamp() - :retention * interval '1 millisecond'
                            order by claimed_at
                            limit :limit
                            for update skip locked))""")
                .param("retention", retentionMillis)
                .param("limit", limit)
                .update();
    }

    private static @Nullable Answer answer(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        if (row.wasNull()) {
            return null;
        }
        Array array = row.getArray("headers");
        String[] flat = (String[]) array.getArray();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < flat.length; i += 2) {
            headers.put(flat[i], flat[i + 1]);
        }
        return new Answer(status, headers, row.getBytes("body"));
    }

    private static String[] flat(Map<String, String> headers) {
        String[] flat = new String[headers.size() * 2];
        int i = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            flat[i++] = header.getKey();
            flat[i++] = header.getValue();
        }
        return flat;
    }
}
