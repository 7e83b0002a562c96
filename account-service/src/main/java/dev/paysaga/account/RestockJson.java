package dev.paysaga.account;

import dev.paysaga.events.RestockLine;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The lines a refund puts back on the shelf, as account keeps them: handed on as they came, never looked at. */
@Component
final class RestockJson {

    private static final TypeReference<List<Units>> LIST = new TypeReference<>() {};

    private final JsonMapper json = JsonMapper.shared();

    String write(List<RestockLine> lines) {
        return json.writeValueAsString(lines.stream()
                .map(line -> new Units(line.getSku(), line.getQuantity()))
                .toList());
    }

    List<RestockLine> read(String stored) {
        return json.readValue(stored, LIST).stream()
                .map(units -> new RestockLine(units.sku(), units.quantity()))
                .toList();
    }

    private record Units(String sku, long quantity) {}
}
