package dev.paysaga.stack.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How PostgreSQL is run, which refuses to run as root.
 *
 * @param prefix what is put before a command
 * @param foreign the process belongs to another user then, who must own what it writes
 */
record Unprivileged(List<String> prefix, boolean foreign) {

    /** The user called nobody, by its number everywhere. */
    private static final String NOBODY = "65534";

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

    /**
     * Finds the way that this machine allows. An ordinary user needs none. For root a user namespace without a mapping is
     * best: root looks like nobody, to itself too, while its files stay its own. Containers often forbid it.
     *
     * @throws StackFailure when there is no way
     */
    static Unprivileged find() {
        if (!OperatingSystem.isRoot()) {
            return new Unprivileged(List.of(), false);
        }
        if (works(List.of("unshare", "-U"))) {
            return new Unprivileged(List.of("unshare", "-U"), false);
        }
        if (works(AS_NOBODY)) {
            return new Unprivileged(AS_NOBODY, true);
        }
        throw new StackFailure("PostgreSQL does not run as root, and this system allows neither 'unshare -U' nor "
                + "'setpriv --reuid=" + NOBODY + "': run ./paysaga as an ordinary user.");
    }

    private static boolean works(List<String> prefix) {
        var command = new ArrayList<>(prefix);
        command.add("true");
        return OperatingSystem.output(command).isPresent();
    }

    /** A command as it must be run. */
    List<String> command(List<String> words) {
        var command = new ArrayList<>(prefix);
        command.addAll(words);
        return command;
    }

    /** Gives a file or a folder with all that is in it to the user that PostgreSQL runs as. */
    void handOver(Path path) {
        if (foreign
                && OperatingSystem.output(List.of("chown", "-R", NOBODY + ":" + NOBODY, path.toString()))
                        .isEmpty()) {
            throw new StackFailure("Cannot give " + path + " to user " + NOBODY + ", as whom PostgreSQL has to run.");
        }
    }

    /** Refuses a place that the user that PostgreSQL runs as cannot reach. */
    void checkReach(Path program) {
        if (OperatingSystem.output(command(List.of("test", "-x", program.toString())))
                .isEmpty()) {
            throw new StackFailure("PostgreSQL does not run as root, and user " + NOBODY + " cannot reach " + program
                    + ": open the folders above it with chmod a+x, or keep the stack's files elsewhere with "
                    + "PAYSAGA_STATE=/var/tmp/paysaga, or run ./paysaga as an ordinary user.");
        }
    }
}
