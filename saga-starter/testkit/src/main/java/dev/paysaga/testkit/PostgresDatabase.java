package dev.paysaga.testkit;

import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of one service, empty until its migrations ran.
 *
 * @param url its JDBC URL
 * @param name also a fit name for its replication slot: slots are named once per server, not per database
 * @param username the application's role, owner of the database
 * @param relayUsername the relay's role, which may replicate
 */
public record PostgresDatabase(
        String url, String name, String username, String password, String relayUsername, String relayPassword) {

    /** Connections of the application's role, not pooled. */
    public DataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url);
        dataSource.setUser(username);
        dataSource.setPassword(password);
        return dataSource;
    }
}
