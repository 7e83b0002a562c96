package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.Ports;
import dev.paysaga.stack.processes.Wiring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Between each service and its database, and between each service and the broker, a {@link Link}; and a clock to move. */
public final class Proxies implements Surroundings, Wiring {

    /** Below the ports that systems hand out by themselves: nobody takes the broker's while it is down. */
    private static final int LOWEST_PORT = 30_000;

    private static final int HIGHEST_PORT = 32_000;

    /** The one for programs with many threads, where the packages of Debian, Fedora, Arch and Homebrew put it. */
    private static final List<String> FAKETIME = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
            "/usr/lib64/faketime/libfaketimeMT.so.1",
            "/usr/lib/faketime/libfaketimeMT.so.1");

    private final Map<String, Link> links = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final Map<String, Duration> clocks = new ConcurrentHashMap<>();
    private final Optional<String> faketime =
            FAKETIME.stream().filter(file -> Files.exists(Path.of(file))).findFirst();

    /** @param ports of the stack that is to be surrounded */
    public Proxies(Ports ports) {
        var random = new Random();
        for (String service : Databases.SERVICES) {
            links.put(
                    service + "→" + service + "-db",
                    new Link(ports.of(service + "-db").number()));
            int port = freePort(random);
            var link = new Link(port);
            links.put(service + "→kafka", link);
            listeners.add(new Listener("FOR" + service.toUpperCase(Locale.ROOT), port, link.port()));
        }
    }

    private static int freePort(Random random) {
        while (true) {
            int port = LOWEST_PORT + random.nextInt(HIGHEST_PORT - LOWEST_PORT);
            try (var socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // another one then
            }
        }
    }

    @Override
    public List<String> links() {
        return List.copyOf(links.keySet());
    }

    @Override
    public void cut(String link) {
        link(link).cut();
    }

    @Override
    public void mend(String link) {
        link(link).mend();
    }

    @Override
    public List<String> slowLinks() {
        return links();
    }

    @Override
    public void slow(String link, Duration by) {
        link(link).slow(by);
    }

    private Link link(String name) {
        Link link = links.get(name);
        if (link == null) {
            throw new IllegalArgumentException("there is no link " + name);
        }
        return link;
    }

    @Override
    public int database(String service) {
        return link(service + "→" + service + "-db").port();
    }

    @Override
    public int kafka(String service) {
        return link(service + "→kafka").port();
    }

    @Override
    public List<Listener> listeners() {
        return listeners;
    }

    @Override
    public List<String> replicas() {
        return Databases.SERVICES.stream().map(service -> service + "#2").toList();
    }

    @Override
    public boolean hasClocks() {
        return faketime.isPresent();
    }

    @Override
    public Map<String, String> environment(String process) {
        Duration by = clocks.getOrDefault(process, Duration.ZERO);
        if (faketime.isEmpty() || by.isZero()) {
            return Map.of();
        }
        return Map.of(
                "LD_PRELOAD",
                faketime.get(),
                "FAKETIME",
                "%+ds".formatted(by.toSeconds()),
                // Waiting goes by the monotonic clock, which no administrator can set.
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1");
    }

    @Override
    public List<String> limits() {
        return hasClocks()
                ? List.of()
                : List.of("No clocks are moved: that takes libfaketime (the package faketime or libfaketime).");
    }

    @Override
    public void moveClock(String process, Duration by) {
        clocks.put(process, by);
    }

    @Override
    public void close() {
        links.values().forEach(Link::close);
    }
}
