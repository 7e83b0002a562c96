package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChoreographyDocumentTest {

    private static final Path COMMITTED = Path.of("..", "docs", "choreography.md");

    @Test
    void the_committed_document_says_what_the_services_do() throws IOException {
        String present = ChoreographyDocument.text();
        Path fresh = Files.writeString(Path.of("target", "choreography.md"), present);
        assertThat(Files.readString(COMMITTED))
                .as("docs/choreography.md is stale; the present one is in simulation/%s: copy it over", fresh)
                .isEqualTo(present);
    }
}
