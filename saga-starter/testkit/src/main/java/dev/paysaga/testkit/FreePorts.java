package dev.paysaga.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports that nobody listens on at this moment. */
final class FreePorts {

    private FreePorts() {}

    /** Two different ones. */
    static int[] two() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (var first = new ServerSocket(0, 1, loopback);
                var second = new ServerSocket(0, 1, loopback)) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
