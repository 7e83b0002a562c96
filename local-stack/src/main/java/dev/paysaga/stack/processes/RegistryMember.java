package dev.paysaga.stack.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schema registry: Apicurio, spoken to through Confluent's API. */
final class RegistryMember implements Member {

    private final Layout layout;
    private final Ports ports;

    RegistryMember(Layout layout, Ports ports) {
        this.layout = layout;
        this.ports = ports;
    }

    static String url(Ports ports) {
        return "http://127.0.0.1:" + ports.of("registry").number() + "/apis/ccompat/v7";
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public List<Ports.Port> ports() {
        return List.of(ports.of(name()), ports.management(name()));
    }

    @Override
    public List<String> needs() {
        return List.of();
    }

    @Override
    public Command prepare() {
        Path program = layout.registry().resolve("quarkus-run.jar");
        if (!Files.exists(program)) {
            throw new StackFailure("The schema registry is not unpacked: " + program + " is missing. Build again, "
                    + "with: touch pom.xml && ./paysaga up");
        }
        Path data = layout.data(name());
        Layout.createDirectories(data);
        var words = new ArrayList<>(JavaCommand.jvm(layout, name(), 192));
        words.add("-Dquarkus.http.host=127.0.0.1");
        words.add("-Dquarkus.http.port=" + ports.of(name()).number());
        words.add("-Dquarkus.management.host=127.0.0.1");
        words.add("-Dquarkus.management.port=" + ports.management(name()).number());
        words.add("-Dquarkus.banner.enabled=false");
        words.add("-Dapicurio.rules.global.compatibility=FULL_TRANSITIVE");
        words.add("-jar");
        words.add(program.toString());
        // H2 would otherwise acknowledge a schema before it is on disk, and give its id to another one after a crash.
        return new Command(
                words,
                Map.of("APICURIO_DATASOURCE_URL", "jdbc:h2:file:" + data.resolve("registry") + ";WRITE_DELAY=0"),
                data);
    }

    @Override
    public boolean ready() {
        return Probe.healthy(ports.management(name()).number(), "/health/ready");
    }
}
