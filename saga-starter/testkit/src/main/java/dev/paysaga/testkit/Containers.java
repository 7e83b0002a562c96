package dev.paysaga.testkit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports.Binding;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;

/** Containers that are killed and started again: a port of this machine stays theirs, which Docker by itself does not promise. */
final class Containers {

    private static final Duration START = Duration.ofMinutes(4);

    private Containers() {}

    /**
     * A container that is not started yet.
     *
     * @param inside the port it listens on
     * @param outside the port of 127.0.0.1 that leads there
     */
    static GenericContainer<?> of(String image, int inside, int outside) {
        var binding = new PortBinding(Binding.bindIpAndPort("127.0.0.1", outside), ExposedPort.tcp(inside));
        return new GenericContainer<>(DockerImageName.parse(image))
                .withExposedPorts(inside)
                .withCreateContainerCmdModifier(command ->
                        Objects.requireNonNull(command.getHostConfig()).withPortBindings(binding))
                .withStartupTimeout(START);
    }

    /** Waits by asking from outside, as the tests will. */
    static WaitStrategy until(String what, BooleanSupplier ready) {
        return new AbstractWaitStrategy() {
            @Override
            protected void waitUntilReady() {
                await(what, ready);
            }
        };
    }

    static void await(String what, BooleanSupplier ready) {
        long deadline = System.nanoTime() + START.toNanos();
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(what + " is not ready after " + START.toSeconds() + " s");
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    static void kill(GenericContainer<?> container) {
        client(container).killContainerCmd(container.getContainerId()).exec();
    }

    static void stop(GenericContainer<?> container) {
        client(container)
                .stopContainerCmd(container.getContainerId())
                .withTimeout(30)
                .exec();
    }

    static void startAgain(GenericContainer<?> container) {
        client(container).startContainerCmd(container.getContainerId()).exec();
    }

    private static DockerClient client(GenericContainer<?> container) {
        return container.getDockerClient();
    }
}
