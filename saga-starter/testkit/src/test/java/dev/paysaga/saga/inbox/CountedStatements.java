package dev.paysaga.saga.inbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts what is sent to the database, at the driver's edge: nothing above it can hide a statement. */
final class CountedStatements extends DelegatingDataSource {

    private final List<String> executed = new CopyOnWriteArrayList<>();

    CountedStatements(DataSource database) {
        super(database);
    }

    List<String> executed() {
        return List.copyOf(executed);
    }

    void reset() {
        executed.clear();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            String sql = arguments != null && arguments.length > 0 ? String.valueOf(arguments[0]) : method.getName();
            return switch (result) {
                case PreparedStatement statement -> counting(PreparedStatement.class, statement, sql);
                case Statement statement -> counting(Statement.class, statement, sql);
                case null, default -> result;
            };
        });
    }

    private <S extends Statement> S counting(Class<S> type, S statement, String sql) {
        return proxy(type, (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                executed.add(sql);
            }
            return invoke(statement, method, arguments);
        });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(CountedStatements.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
