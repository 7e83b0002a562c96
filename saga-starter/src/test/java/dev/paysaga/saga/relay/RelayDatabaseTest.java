package dev.paysaga.saga.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class RelayDatabaseTest {

    @Test
    void the_stream_of_changes_is_encrypted_as_the_url_says() {
        var database = new RelayDatabase(
                "jdbc:postgresql://db.example.com:6432/shop?sslmode=verify-full&sslrootcert=/ca.crt&socketTimeout=5",
                "relay",
                "secret");

        assertThat(database.encryption()).isEqualTo(Map.of("sslmode", "verify-full", "sslrootcert", "/ca.crt"));
        assertThat(database.host()).isEqualTo("db.example.com");
        assertThat(database.port()).isEqualTo("6432");
        assertThat(database.name()).isEqualTo("shop");
    }

    @Test
    void a_url_that_says_nothing_changes_nothing() {
        assertThat(new RelayDatabase("jdbc:postgresql://db/shop", "relay", "secret").encryption())
                .isEmpty();
    }
}
