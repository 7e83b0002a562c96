package dev.paysaga.saga.relay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Connections of one role, outside any pool: leadership is bound to one of them. */
final class RelayDatabase {

    /** A server that does not answer for so long counts as gone. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /**
     * Makes the server notice within about 5 s that a leader's machine is gone, and free its lock. A killed process needs
     * none of this: its connections end with it.
     */
    private static final String NOTICE_DEATH =
            "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 -c tcp_user_timeout=5000";

    private static final List<PGProperty> ENCRYPTION = List.of(
            PGProperty.SSL_MODE,
            PGProperty.SSL_ROOT_CERT,
            PGProperty.SSL_CERT,
            PGProperty.SSL_KEY,
            PGProperty.SSL_PASSWORD);

    private final String url;
    private final String username;
    private final String password;
    private final Properties parts;

    /**
     * @param url the JDBC URL of the service's database
     * @throws IllegalArgumentException if it is none of PostgreSQL
     */
    RelayDatabase(String url, String username, String password) {
        @Nullable Properties parsed = Driver.parseURL(url, null);
        if (parsed == null) {
            throw new IllegalArgumentException(
                    url + " is no PostgreSQL URL: the relay reads PostgreSQL's write-ahead log");
        }
        this.url = url;
        this.username = username;
        this.password = password;
        this.parts = parsed;
    }

    Connection connect(String purpose) throws SQLException {
        var properties = new Properties();
        PGProperty.USER.set(properties, username);
        PGProperty.PASSWORD.set(properties, password);
        PGProperty.APPLICATION_NAME.set(properties, "paysaga " + purpose);
        PGProperty.CONNECT_TIMEOUT.set(properties, (int) ANSWER.toSeconds());
        PGProperty.LOGIN_TIMEOUT.set(properties, (int) ANSWER.toSeconds());
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.OPTIONS.set(properties, NOTICE_DEATH);
        return DriverManager.getConnection(url, properties);
    }

    /** Connection whose every answer must come soon. */
    Connection connectImpatiently(String purpose) throws SQLException {
        Connection connection = connect(purpose);
        connection.setNetworkTimeout(Runnable::run, (int) ANSWER.toMillis());
        return connection;
    }

    String host() {
        return parts.getProperty(PGProperty.PG_HOST.getName(), "localhost").split(",")[0];
    }

    String port() {
        return parts.getProperty(PGProperty.PG_PORT.getName(), "5432").split(",")[0];
    }

    String name() {
        return parts.getProperty(PGProperty.PG_DBNAME.getName(), username);
    }

    /**
     * How the connection is encrypted and whom it trusts, as the URL says: by the names that JDBC and Debezium share, such as
     * {@code sslmode} and {@code sslrootcert}. Empty if the URL says nothing.
     */
    Map<String, String> encryption() {
        return ENCRYPTION.stream()
                .map(PGProperty::getName)
                .filter(name -> parts.getProperty(name) != null)
                .collect(Collectors.toMap(Function.identity(), parts::getProperty));
    }

    String username() {
        return username;
    }

    String password() {
        return password;
    }
}
