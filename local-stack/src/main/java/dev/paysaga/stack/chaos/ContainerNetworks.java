package dev.paysaga.stack.chaos;

import dev.paysaga.stack.processes.ComposeSystem;
import dev.paysaga.stack.processes.Databases;
import dev.paysaga.stack.processes.PaymentSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Around containers there are the networks of the compose file: a container is taken out of one and put back. Connections are
 * not ended by that; packets just do not arrive any more.
 */
public final class ContainerNetworks implements Surroundings {

    private static final String BUS = "bus";

    private final ComposeSystem system;
    private final Set<String> cut = ConcurrentHashMap.newKeySet();

    public ContainerNetworks(ComposeSystem system) {
        this.system = system;
    }

    @Override
    public List<String> links() {
        var links = new ArrayList<String>();
        for (String service : Databases.SERVICES) {
            links.add(service + "→" + service + "-db");
            links.add(service + "→kafka");
        }
        return links;
    }

    @Override
    public void cut(String link) {
        cut.add(link);
        system.disconnect(service(link), network(link));
    }

    @Override
    public void mend(String link) {
        system.connect(service(link), network(link));
        cut.remove(link);
    }

    private static String service(String link) {
        int arrow = link.indexOf('→');
        if (arrow < 0) {
            throw new IllegalArgumentException("there is no link " + link);
        }
        return link.substring(0, arrow);
    }

    /** A service shares one with its database alone, and one with the broker and everybody else. */
    private static String network(String link) {
        return link.endsWith("-db") ? service(link) + "-data" : BUS;
    }

    @Override
    public List<String> slowLinks() {
        return List.of();
    }

    @Override
    public void slow(String link, Duration by) {
        throw new IllegalArgumentException("links of containers cannot be made slow");
    }

    /** Those of the second compose file, if it was used. */
    @Override
    public List<String> replicas() {
        return system.states().stream()
                .map(PaymentSystem.State::name)
                .filter(name -> name.endsWith("#2") && !name.startsWith("kafka"))
                .toList();
    }

    @Override
    public boolean hasClocks() {
        return false;
    }

    @Override
    public void moveClock(String process, Duration by) {
        if (!by.isZero()) {
            throw new IllegalArgumentException("clocks of containers cannot be moved");
        }
    }

    @Override
    public List<String> limits() {
        var limits = new ArrayList<String>();
        limits.add("No clocks are moved: all containers go by the clock of this machine.");
        limits.add("No link is made slow: that takes privileges which these containers do not have.");
        if (replicas().isEmpty()) {
            limits.add("No replica comes or goes: there are none without docker-compose.replicas.yml.");
        }
        return limits;
    }

    @Override
    public void close() {
        Set.copyOf(cut).forEach(this::mend);
    }
}
