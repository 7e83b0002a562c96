package dev.paysaga.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaEvolutionTest {

    // spotless:off
    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            nothing changed              | {"name":"a","type":"long"}                                                              | {"name":"a","type":"long"}                                                                    | welcome
            a word about it              | {"name":"a","type":"long"}                                                              | {"name":"a","type":"long","doc":"in cents"}                                                   | welcome
            new field with default       | {"name":"a","type":"long"}                                                              | {"name":"a","type":"long"},{"name":"b","type":"long","default":0}                             | welcome
            new field without default    | {"name":"a","type":"long"}                                                              | {"name":"a","type":"long"},{"name":"b","type":"long"}                                         | refused
            field with default goes      | {"name":"a","type":"long"},{"name":"b","type":"long","default":0}                       | {"name":"a","type":"long"}                                                                    | welcome
            field without default goes   | {"name":"a","type":"long"},{"name":"b","type":"long"}                                   | {"name":"a","type":"long"}                                                                    | refused
            renamed field                | {"name":"a","type":"long"}                                                              | {"name":"b","type":"long"}                                                                    | refused
            number grows wider           | {"name":"a","type":"int"}                                                               | {"name":"a","type":"long"}                                                                    | refused
            number grows narrower        | {"name":"a","type":"long"}                                                              | {"name":"a","type":"int"}                                                                     | refused
            text becomes bytes           | {"name":"a","type":"string"}                                                            | {"name":"a","type":"bytes"}                                                                   | refused
            text becomes a UUID          | {"name":"a","type":"string"}                                                            | {"name":"a","type":{"type":"string","logicalType":"uuid"}}                                    | refused
            required becomes optional    | {"name":"a","type":"string"}                                                            | {"name":"a","type":["null","string"]}                                                         | refused
            optional grows a type        | {"name":"a","type":["null","string"]}                                                   | {"name":"a","type":["null","string","long"]}                                                  | refused
            enum grows                   | {"name":"a","type":{"type":"enum","name":"E","symbols":["X"]}}                          | {"name":"a","type":{"type":"enum","name":"E","symbols":["X","Y"]}}                            | refused
            enum with a default grows    | {"name":"a","type":{"type":"enum","name":"E","symbols":["X"],"default":"X"}}            | {"name":"a","type":{"type":"enum","name":"E","symbols":["X","Y"],"default":"X"}}              | refused
            line of a list gains a field | {"name":"a","type":{"type":"array","items":{"type":"record","name":"L","fields":[]}}}   | {"name":"a","type":{"type":"array","items":{"type":"record","name":"L","fields":[{"name":"b","type":"long"}]}}} | refused
            """)
    // spotless:on
    void what_a_published_schema_may_become(String change, String older, String younger, String verdict) {
        assertThat(SchemaEvolution.objections(record(older), record(younger)).isEmpty() ? "welcome" : "refused")
                .as(change)
                .isEqualTo(verdict);
    }

    private static Schema record(String fields) {
        return new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}");
    }
}
