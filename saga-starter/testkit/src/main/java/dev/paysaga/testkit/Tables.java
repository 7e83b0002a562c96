package dev.paysaga.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tables as they are, to be compared with what they are later. */
public final class Tables {

    private Tables() {}

    /** Every row of these tables with all of its columns, as text. */
    public static Map<String, List<String>> rows(JdbcClient jdbc, String... tables) {
        var rows = new LinkedHashMap<String, List<String>>();
        for (String table : tables) {
            rows.put(
                    table,
                    jdbc.sql("select t::text from " + table + " t order by 1")
                            .query(String.class)
                            .list());
        }
        return rows;
    }
}
