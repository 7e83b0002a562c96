package dev.paysaga.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The far end sends back what it gets. */
class LinkTest {

    private static final int SHORT = 150;

    private ServerSocket far;
    private Link link;

    @BeforeEach
    void open() throws IOException {
        far = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        link = new Link(far.getLocalPort());
        Thread.ofVirtual().start(() -> {
            while (!far.isClosed()) {
                try {
                    Socket socket = far.accept();
                    Thread.ofVirtual().start(() -> echo(socket));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException gone) {
            // the test is over
        }
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        far.close();
    }

    @Test
    void what_goes_in_comes_back() throws IOException {
        try (Socket near = connect()) {
            near.getOutputStream().write("hello".getBytes());

            assertThat(near.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes());
        }
    }

    @Test
    void the_end_of_a_conversation_is_passed_on() throws IOException {
        try (Socket near = connect()) {
            near.getOutputStream().write(7);
            near.shutdownOutput();

            assertThat(near.getInputStream().readAllBytes()).containsExactly(7);
        }
    }

    @Test
    void a_slow_link_takes_its_time_in_both_directions() throws IOException {
        link.slow(Duration.ofMillis(100));
        try (Socket near = connect()) {
            long begin = System.nanoTime();
            near.getOutputStream().write(1);
            near.getInputStream().read();

            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void nothing_passes_a_cut_link_until_it_is_mended_and_nothing_is_lost() throws IOException {
        try (Socket near = connect()) {
            near.getOutputStream().write(1);
            assertThat(near.getInputStream().read()).isEqualTo(1);

            link.cut();
            near.getOutputStream().write(2);
            near.setSoTimeout(SHORT);
            assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            link.mend();

            near.setSoTimeout(0);
            assertThat(near.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void who_connects_while_nobody_listens_is_turned_away() throws IOException {
        far.close();

        try (Socket near = connect()) {
            near.setSoTimeout(60_000);
            assertThatThrownBy(() -> {
                        if (near.getInputStream().read() < 0) {
                            throw new IOException("closed");
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getByName("127.0.0.1"), link.port());
    }
}
