package dev.paysaga.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody listens on at this moment, below those that systems hand out by themselves: nobody's connection and no
 * server without a port of its own takes one of these while its server is away.
 */
final class FreePorts {

    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 20_000;

    private FreePorts() {}

    /** Two different ones. */
    static int[] two() {
        int first = freeFrom(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));
        return new int[] {first, freeFrom(first + 1)};
    }

    private static int freeFrom(int port) {
        return isFree(port) ? port : freeFrom(port + 1);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
