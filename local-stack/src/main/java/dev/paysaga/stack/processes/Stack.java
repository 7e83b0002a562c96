package dev.paysaga.stack.processes;

import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The whole embedded stack: databases, a broker, a schema registry, four services and the console, each an own process. */
public final class Stack implements PaymentSystem {

    private final Layout layout;
    private final Ports ports;
    private final Secrets secrets;
    private final PostgresBinaries binaries;
    private final Wiring wiring;
    private final Launcher launcher;
    private final PrintStream out;

    /** @param out where progress is told, one line at a time */
    public Stack(Layout layout, Ports ports, PrintStream out) {
        this(layout, ports, Wiring.straight(ports), out);
    }

    private Stack(Layout layout, Ports ports, Wiring wiring, PrintStream out) {
        this.layout = layout;
        this.ports = ports;
        this.wiring = wiring;
        this.secrets = new Secrets(layout);
        this.binaries = new PostgresBinaries(layout, secrets);
        this.launcher = new Launcher(layout);
        this.out = out;
    }

    /** The same stack, its services wired in another way from their next start on; the broker from its next start, too. */
    public Stack wired(Wiring other) {
        return new Stack(layout, ports, other, out);
    }

    @Override
    public Secrets secrets() {
        return secrets;
    }

    @Override
    public Ports ports() {
        return ports;
    }

    /**
     * Starts what is not running and waits until all of it can be used. Harmless when everything runs.
     *
     * @param replicas how many of a service, by its name; one of those that are not named, none for 0
     */
    public void up(Map<String, Integer> replicas) {
        locked(() -> {
            List<Member> members = members(replicas);
            refuseTakenPorts(members);
            startTogether(members);
        });
    }

    /** Deletes all data and logs of a stopped stack; secrets, and what can be made again, stay. */
    public void clear() {
        locked(() -> {
            stopAll();
            Layout.delete(layout.state().resolve("data"));
            Layout.delete(layout.state().resolve("logs"));
        });
    }

    /** Whether any process of it is remembered: started and not stopped, even if it is dead. */
    public boolean isRunning() {
        return !Running.names(layout).isEmpty();
    }

    /** Stops everything, the services first. */
    public void down() {
        locked(this::stopAll);
    }

    @Override
    public void start(String name) {
        locked(() -> {
            Member member = member(name);
            refuseTakenPorts(List.of(member));
            launcher.start(member);
        });
    }

    @Override
    public boolean launch(String name) {
        return launcher.launch(member(name));
    }

    @Override
    public Optional<Ending> stop(String name) {
        return launcher.stop(name, member(name).stopSignal());
    }

    @Override
    public boolean isReady(String name) {
        return member(name).ready();
    }

    @Override
    public Set<String> alive() {
        return Running.names(layout).stream()
                .filter(name -> Running.find(layout, name) != null)
                .collect(Collectors.toSet());
    }

    @Override
    public boolean kill(String name) {
        member(name);
        return launcher.kill(name) != null;
    }

    @Override
    public boolean pause(String name) {
        return signal(name, "STOP");
    }

    @Override
    public boolean resume(String name) {
        return signal(name, "CONT");
    }

    private boolean signal(String name, String signal) {
        Running running = Running.find(layout, member(name).name());
        if (running == null) {
            return false;
        }
        OperatingSystem.signal(signal, OperatingSystem.family(running.pid()));
        return true;
    }

    @Override
    public void printLog(String name, boolean follow, PrintStream to) {
        member(name);
        Path log = layout.log(name);
        if (!Files.exists(log)) {
            throw new StackFailure(name + " has no log yet: it was never started.");
        }
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] buffer = new byte[65_536];
            while (true) {
                int count = file.read(buffer);
                if (count > 0) {
                    to.write(buffer, 0, count);
                    to.flush();
                } else if (follow && !to.checkError()) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
                } else {
                    return;
                }
            }
        } catch (IOException e) {
            throw new StackFailure("Cannot read " + log + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<State> states() {
        List<String> remembered = Running.names(layout);
        var names = new ArrayList<String>();
        members(Map.of()).forEach(member -> names.add(member.name()));
        remembered.stream().filter(name -> !names.contains(name)).forEach(names::add);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return names.stream()
                    .map(name -> CompletableFuture.supplyAsync(() -> state(name, remembered.contains(name)), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        }
    }

    private State state(String name, boolean remembered) {
        Member member = member(name);
        int port = member.ports().getFirst().number();
        Integer management = member.ports().stream()
                .filter(other -> other.variable().endsWith("MANAGEMENT_PORT"))
                .map(Ports.Port::number)
                .findFirst()
                .orElse(null);
        Running running = Running.find(layout, name);
        if (running == null) {
            return new State(name, remembered ? "dead" : "stopped", null, port, management, 0);
        }
        String state = member.ready() ? "ready" : "starting";
        return new State(name, state, running.pid(), running.port(), management, OperatingSystem.memory(running.pid()));
    }

    private void refuseTakenPorts(List<Member> members) {
        List<String> taken = members.stream()
                .flatMap(member -> launcher.takenPorts(member).stream())
                .toList();
        if (!taken.isEmpty()) {
            throw new StackFailure(String.join("\n", taken));
        }
    }

    /** Each as soon as those it needs are ready. */
    private void startTogether(List<Member> members) {
        long begin = System.nanoTime();
        Map<String, CompletableFuture<Void>> started = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Member member : members) {
                CompletableFuture<?>[] needed =
                        member.needs().stream().map(started::get).toArray(CompletableFuture<?>[]::new);
                started.put(
                        member.name(),
                        CompletableFuture.allOf(needed).thenRunAsync(() -> startAndTell(member, begin), threads));
            }
            joinAll(started.values());
        }
    }

    private static void joinAll(Collection<CompletableFuture<Void>> all) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StackFailure failure ? failure : e;
        }
    }

    private void startAndTell(Member member, long begin) {
        if (Running.find(layout, member.name()) != null && member.ready()) {
            member.complete();
            return;
        }
        long own = System.nanoTime();
        launcher.start(member);
        long now = System.nanoTime();
        out.printf(
                "  %-16s ready after %4.1f s, started at %4.1f s%n",
                member.name(), (now - own) / 1e9, (own - begin) / 1e9);
    }

    private void stopAll() {
        List<String> names = Running.names(layout);
        List<String> services = names.stream().filter(Stack::isService).toList();
        stopTogether(services);
        stopTogether(names.stream().filter(name -> !services.contains(name)).toList());
    }

    private static boolean isService(String name) {
        return hasDatabase(name.replaceFirst("#.*", ""));
    }

    private static boolean hasDatabase(String service) {
        return Databases.SERVICES.contains(service) || service.equals(Databases.CONSOLE);
    }

    private void stopTogether(List<String> names) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            joinAll(names.stream()
                    .map(name -> CompletableFuture.runAsync(
                            () -> launcher.stop(name, member(name).stopSignal()), threads))
                    .toList());
        }
    }

    private List<Member> members(Map<String, Integer> replicas) {
        var members = new ArrayList<Member>();
        Databases.SERVICES.forEach(service -> members.add(member(service + "-db")));
        members.add(member(Databases.CONSOLE + "-db"));
        members.add(member("kafka"));
        members.add(member("registry"));
        for (String service : Databases.SERVICES) {
            int count = replicas.getOrDefault(service, 1);
            for (int number = 1; number <= count; number++) {
                members.add(member(number == 1 ? service : service + "#" + number));
            }
        }
        if (replicas.getOrDefault(Databases.CONSOLE, 1) > 0) {
            members.add(member(Databases.CONSOLE));
        }
        return members;
    }

    private Member member(String name) {
        if (name.equals("kafka")) {
            return new KafkaMember(layout, ports, wiring);
        }
        if (name.equals("registry")) {
            return new RegistryMember(layout, ports);
        }
        if (name.endsWith("-db") && hasDatabase(name.substring(0, name.length() - "-db".length()))) {
            String service = name.substring(0, name.length() - "-db".length());
            return new PostgresMember(layout, ports, secrets, binaries, service);
        }
        if (name.matches("[a-z]+(#([2-9]|1[0-2]))?") && isService(name)) {
            return new ServiceMember(layout, ports, secrets, wiring, name);
        }
        throw new StackFailure(
                "There is no process called " + name + ". There are: order, inventory, account, notification "
                        + "(and order#2 and so on), console, kafka, registry, order-db, inventory-db, account-db, "
                        + "notification-db, console-db.");
    }

    /** One command line changes the stack at a time; another one waits for it. */
    private void locked(Runnable action) {
        Layout.createDirectories(layout.state());
        synchronized (Stack.class) {
            try (FileChannel file = FileChannel.open(
                    layout.state().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                boolean held = Await.holds(Duration.ofMinutes(5), () -> {
                    try {
                        return file.tryLock() != null;
                    } catch (IOException e) {
                        throw new StackFailure(
                                "Cannot lock " + layout.state().resolve("lock") + ": " + e.getMessage(), e);
                    }
                });
                if (!held) {
                    throw new StackFailure("Another ./paysaga is starting or stopping this stack.");
                }
                action.run();
            } catch (IOException e) {
                throw new StackFailure("Cannot lock " + layout.state().resolve("lock") + ": " + e.getMessage(), e);
            }
        }
    }
}
