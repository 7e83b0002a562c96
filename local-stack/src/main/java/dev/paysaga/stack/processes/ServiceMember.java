package dev.paysaga.stack.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** One replica of a service: its executable jar, unpacked once so that it starts faster. */
final class ServiceMember implements Member {

    private final Layout layout;
    private final Ports ports;
    private final Secrets secrets;
    private final Wiring wiring;
    private final String service;
    private final String name;

    /** @param name the service, or {@code service#N} for a further replica */
    ServiceMember(Layout layout, Ports ports, Secrets secrets, Wiring wiring, String name) {
        this.layout = layout;
        this.ports = ports;
        this.secrets = secrets;
        this.name = name;
        this.service = name.replaceFirst("#.*", "");
        // Who only watches is not in anybody's way, and nobody in its.
        this.wiring = isConsole() ? Wiring.straight(ports) : wiring;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Ports.Port> ports() {
        return List.of(ports.of(name), ports.management(name));
    }

    @Override
    public List<String> needs() {
        return List.of(service + "-db", "kafka", "registry");
    }

    private boolean isConsole() {
        return service.equals(Databases.CONSOLE);
    }

    private String module() {
        return isConsole() ? "ops-console" : service + "-service";
    }

    /** The executable jar of the service. */
    private Path jar() {
        Path target = layout.home().resolve(module()).resolve("target");
        if (Files.isDirectory(target)) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, "*-boot.jar")) {
                for (Path jar : jars) {
                    return jar;
                }
            } catch (IOException e) {
                throw new StackFailure("Cannot read " + target + ": " + e.getMessage(), e);
            }
        }
        throw new StackFailure(module() + " is not built: there is no *-boot.jar in " + target
                + ". Build again, with: touch pom.xml && ./paysaga up");
    }

    @Override
    public Command prepare() {
        Path application = unpacked();
        var words = new ArrayList<>(JavaCommand.jvm(layout, name, 176));
        // C1 alone starts in half the time and needs less memory; who measures long runs may want C2 back.
        words.add("-XX:TieredStopAtLevel=1");
        words.addAll(JavaCommand.extraOptions());
        words.add("-jar");
        words.add(application.toString());
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("SERVER_PORT", Integer.toString(ports.of(name).number()));
        environment.put("SERVER_ADDRESS", "127.0.0.1");
        environment.put(
                "MANAGEMENT_SERVER_PORT",
                Integer.toString(ports.management(name).number()));
        environment.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
        environment.put("SPRING_DATASOURCE_URL", Databases.url(wiring.database(service), Databases.database(service)));
        environment.put("SPRING_DATASOURCE_USERNAME", Databases.owner(service));
        environment.put("SPRING_DATASOURCE_PASSWORD", secrets.password(Databases.owner(service)));
        environment.put("SAGA_RELAY_USERNAME", Databases.relay(service));
        environment.put("SAGA_RELAY_PASSWORD", secrets.password(Databases.relay(service)));
        environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + wiring.kafka(service));
        environment.put("SAGA_SCHEMA_REGISTRY_URL", RegistryMember.url(ports));
        environment.put(
                "SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_PUBLIC_KEY_LOCATION",
                secrets.publicKey().toUri().toString());
        environment.putAll(wiring.environment(name));
        if (isConsole()) {
            tellTheConsole(environment);
        }
        return new Command(words, environment, layout.state());
    }

    /** Where the services are, and the key that their tokens are signed with. */
    private void tellTheConsole(Map<String, String> environment) {
        for (String each : Databases.SERVICES) {
            environment.put(
                    "PAYSAGA_RECONCILIATION_SERVICES_" + each.toUpperCase(Locale.ROOT),
                    "http://127.0.0.1:" + ports.of(each).number() + "/");
        }
        environment.put(
                "PAYSAGA_RECONCILIATION_SIGNING_KEY",
                secrets.signingKey().toAbsolutePath().toString());
        for (String setting : List.of("PAYSAGA_RECONCILIATION_EVERY", "PAYSAGA_RECONCILIATION_SETTLING")) {
            String value = System.getenv(setting);
            if (value != null) {
                environment.put(setting, value);
            }
        }
    }

    /** The unpacked application of this build. Two replicas that start together unpack it once. */
    private Path unpacked() {
        Path jar = jar();
        Path apps = layout.state().resolve("apps").resolve(service);
        synchronized (ServiceMember.class) {
            return unpacked(jar, apps);
        }
    }

    private Path unpacked(Path jar, Path apps) {
        try {
            Path target = apps.resolve(fingerprint(jar));
            if (!Files.exists(target)) {
                Layout.createDirectories(apps);
                deleteOld(apps);
                Path draft = Files.createTempDirectory(layout.state().resolve("apps"), service + "-");
                extract(jar, draft.resolve("app"));
                Files.move(draft.resolve("app"), target, StandardCopyOption.ATOMIC_MOVE);
                Files.delete(draft);
            }
            return target.resolve(jar.getFileName());
        } catch (IOException e) {
            throw new StackFailure(
                    "Cannot unpack " + jar + ": " + e.getMessage() + ". Build again, with: "
                            + "touch pom.xml && ./paysaga up",
                    e);
        }
    }

    /** What the jar contains, from its directory alone: reproducible builds give all their files the same time. */
    private static String fingerprint(Path jar) throws IOException {
        var sum = new CRC32();
        try (var file = new JarFile(jar.toFile(), false)) {
            file.stream()
                    .map(entry -> entry.getName() + entry.getCrc() + "/" + entry.getSize())
                    .forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
        }
        return Files.size(jar) + "-" + Long.toHexString(sum.getValue());
    }

    /** Leaves the youngest build alone, which another replica may be running. */
    private static void deleteOld(Path apps) throws IOException {
        try (Stream<Path> builds = Files.list(apps)) {
            builds.sorted(Comparator.comparing(ServiceMember::modified).reversed())
                    .skip(1)
                    .toList()
                    .forEach(Layout::delete);
        }
    }

    private static long modified(Path folder) {
        return folder.toFile().lastModified();
    }

    private static void extract(Path jar, Path target) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--destination",
                target.toString());
        if (OperatingSystem.output(command).isEmpty()) {
            throw new StackFailure("Cannot unpack " + jar + " with: " + String.join(" ", command));
        }
    }

    @Override
    public boolean ready() {
        return Probe.healthy(ports.management(name).number(), "/actuator/health/readiness");
    }
}
