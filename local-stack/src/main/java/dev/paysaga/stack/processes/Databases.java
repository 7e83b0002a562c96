package dev.paysaga.stack.processes;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/** The services' databases, for those who look at all of them. */
public final class Databases {

    /** The services that have a database. */
    public static final List<String> SERVICES = List.of("order", "inventory", "account", "notification");

    /** The operators' process: it has a database, and no part in a saga. */
    static final String CONSOLE = "console";

    /** PostgreSQL's own superuser; the services never use it. */
    static final String ADMINISTRATOR = "postgres";

    private final Ports ports;
    private final Secrets secrets;

    public Databases(Ports ports, Secrets secrets) {
        this.ports = ports;
        this.secrets = secrets;
    }

    /**
     * A connection to a service's database as the role that owns it.
     *
     * @param service such as {@code order}
     * @throws SQLException when the database does not answer
     */
    public Connection connect(String service) throws SQLException {
        return connect(service, database(service), owner(service));
    }

    /**
     * A connection to a service's database as the administrator of its instance.
     *
     * @param service such as {@code order}
     * @throws SQLException when the database does not answer
     */
    public Connection administer(String service) throws SQLException {
        return connect(service, database(service), ADMINISTRATOR);
    }

    Connection connect(String service, String database, String role) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", role);
        properties.setProperty("password", secrets.password(role));
        properties.setProperty("connectTimeout", "10");
        properties.setProperty("loginTimeout", "15");
        properties.setProperty("ApplicationName", "paysaga");
        properties.setProperty("sslmode", "disable");
        properties.setProperty("gssEncMode", "disable");
        return DriverManager.getConnection(url(ports.of(service + "-db").number(), database), properties);
    }

    static String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    static String database(String service) {
        return "paysaga_" + service;
    }

    static String owner(String service) {
        return service + "_app";
    }

    static String relay(String service) {
        return service + "_relay";
    }
}
