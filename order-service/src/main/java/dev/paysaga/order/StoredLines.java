package dev.paysaga.order;

import dev.paysaga.events.OrderLine;
import dev.paysaga.events.RestockLine;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Lines as they are stored and shown: JSON arrays of objects. */
final class StoredLines {

    private static final JsonMapper JSON = JsonMapper.shared();

    private StoredLines() {}

    /** What was ordered of one product. */
    record Line(String sku, long quantity, long unitPrice) {

        static Line of(OrderLine line) {
            return new Line(line.getSku(), line.getQuantity(), line.getUnitPrice());
        }
    }

    /** What comes back of one product. */
    record Restock(String sku, long quantity) {

        static Restock of(RestockLine line) {
            return new Restock(line.getSku(), line.getQuantity());
        }
    }

    static String ordered(List<OrderLine> lines) {
        return JSON.writeValueAsString(lines.stream().map(Line::of).toList());
    }

    static List<OrderLine> ordered(String json) {
        return Arrays.stream(JSON.readValue(json, Line[].class))
                .map(line -> new OrderLine(line.sku(), line.quantity(), line.unitPrice()))
                .toList();
    }

    static String restocked(List<RestockLine> lines) {
        return JSON.writeValueAsString(lines.stream().map(Restock::of).toList());
    }

    static List<RestockLine> restocked(String json) {
        return Arrays.stream(JSON.readValue(json, Restock[].class))
                .map(line -> new RestockLine(line.sku(), line.quantity()))
                .toList();
    }
}
