package dev.paysaga.inventory;

import dev.paysaga.inventory.domain.Units;
import java.util.LinkedHashMap;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Units as they are stored and shown: {@code [{"sku": "tea", "quantity": 2}]}. */
@Component
final class Lines {

    private static final TypeReference<List<Line>> LIST = new TypeReference<>() {};

    private final JsonMapper json;

    Lines(JsonMapper json) {
        this.json = json;
    }

    String write(Units units) {
        return json.writeValueAsString(of(units));
    }

    Units read(String stored) {
        var bySku = new LinkedHashMap<String, Long>();
        json.readValue(stored, LIST).forEach(line -> bySku.put(line.sku(), line.quantity()));
        return new Units(bySku);
    }

    static List<Line> of(Units units) {
        return units.bySku().entrySet().stream()
                .map(line -> new Line(line.getKey(), line.getValue()))
                .toList();
    }

    /**
     * One product.
     *
     * @param sku the merchant's name of it
     * @param quantity units, at least 1
     */
    record Line(String sku, long quantity) {}
}
