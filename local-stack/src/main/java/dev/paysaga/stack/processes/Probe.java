package dev.paysaga.stack.processes;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** Quick questions to a port of this machine. */
final class Probe {

    /** Whoever listens answers in milliseconds; on a machine that starts a dozen processes at once it may take seconds. */
    private static final int MILLIS = 10_000;

    private Probe() {}

    static boolean listens(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Does a GET answer 200? */
    static boolean healthy(int port, String path) {
        try {
            var connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
            connection.setConnectTimeout(MILLIS);
            connection.setReadTimeout(MILLIS);
            int status = connection.getResponseCode();
            connection.disconnect();
            return status == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }
}
