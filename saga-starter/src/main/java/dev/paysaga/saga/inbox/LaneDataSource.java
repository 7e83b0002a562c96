package dev.paysaga.saga.inbox;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * One data source, with connections of their own for compensating events: neither a storm of them nor a storm of requests
 * takes the other's connections. Whoever is in no lane, such as HTTP, uses the main pool.
 */
final class LaneDataSource extends AbstractRoutingDataSource implements AutoCloseable {

    private static final ThreadLocal<@Nullable Lane> CURRENT = new ThreadLocal<>();

    private final HikariDataSource main;
    private final HikariDataSource compensation;

    LaneDataSource(HikariDataSource main, HikariDataSource compensation) {
        this.main = main;
        this.compensation = compensation;
        setDefaultTargetDataSource(main);
        setTargetDataSources(Map.of(Lane.COMPENSATION, compensation));
    }

    /** Does this work with the lane's connections. A transaction stays with those it began with. */
    static void in(Lane lane, Runnable work) {
        Lane before = CURRENT.get();
        CURRENT.set(lane);
        try {
            work.run();
        } finally {
            CURRENT.set(before);
        }
    }

    @Override
    protected @Nullable Object determineCurrentLookupKey() {
        return CURRENT.get();
    }

    @Override
    public void close() {
        main.close();
        compensation.close();
    }
}
