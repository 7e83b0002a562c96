package dev.paysaga.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script against JDKs and a Maven made of a few lines of shell. */
class LauncherScriptTest {

    @TempDir
    Path folder;

    private Path home;

    @BeforeEach
    void aBuiltRepository() throws IOException {
        home = Files.createDirectories(folder.resolve("repository"));
        Files.copy(Path.of("..", "paysaga"), home.resolve("paysaga"));
        program(home.resolve("paysaga"), Files.readString(Path.of("..", "paysaga")));
        Files.createFile(home.resolve("pom.xml"));
        Files.createDirectories(home.resolve("local-stack/src/main/java"));
        Files.createDirectories(home.resolve("local-stack/target"));
        Files.createFile(home.resolve("local-stack/target/local-stack-1.jar"));
        Files.createFile(home.resolve("local-stack/target/paysaga.built"));
    }

    @Test
    void the_newest_jdk_wins_wherever_it_was_found() throws Exception {
        Path old = jdk("old", "1.8.0_392");
        jdk("seventeen", "17.0.15");
        jdk("twenty-five", "25.0.3");
        jdk("twenty-one", "21");

        Result result = run(home, Map.of("JAVA_HOME", old.toString()), "up", "--fresh");

        assertThat(result.output)
                .contains("java of twenty-five")
                .contains("-jar")
                .contains("up --fresh");
        assertThat(result.code).isZero();
    }

    @Test
    void a_java_without_a_compiler_is_no_jdk() throws Exception {
        Path runtime = jdk("runtime", "25.0.3");
        Files.delete(runtime.resolve("bin/javac"));
        jdk("twenty-one", "21.0.2");

        assertThat(run(home, Map.of(), "status").output).contains("java of twenty-one");
    }

    @Test
    void too_old_a_jdk_is_named_with_what_to_do() throws Exception {
        Path seventeen = jdk("seventeen", "17.0.15");

        Result result = run(home, Map.of(), "up");

        assertThat(result.code).isEqualTo(1);
        assertThat(result.output)
                .contains("I need a JDK 21 or newer")
                .contains(seventeen + " (17)")
                .contains("https://adoptium.net")
                .contains("JAVA_HOME=/path/to/jdk");
    }

    @Test
    void it_is_found_through_a_link_from_another_folder() throws Exception {
        jdk("twenty-five", "25.0.3");
        Path link = Files.createSymbolicLink(folder.resolve("link"), home.resolve("paysaga"));

        Result result = run(link, folder, Map.of(), "status");

        assertThat(result.output).contains("-Dpaysaga.home=" + home.toRealPath());
    }

    @Test
    void without_maven_it_says_how_to_get_it() throws Exception {
        jdk("twenty-five", "25.0.3");
        Files.delete(home.resolve("local-stack/target/paysaga.built"));

        Result result = run(home, Map.of(), "up");

        assertThat(result.code).isEqualTo(1);
        assertThat(result.output)
                .contains("I need Maven 3.8 or newer")
                .contains("https://maven.apache.org/download.cgi");
    }

    @Test
    void too_old_a_maven_is_named() throws Exception {
        jdk("twenty-five", "25.0.3");
        maven("3.6.3");
        Files.delete(home.resolve("local-stack/target/paysaga.built"));

        assertThat(run(home, Map.of(), "up").output)
                .contains("I need Maven 3.8 or newer, and")
                .contains("is 3.6");
    }

    @Test
    void it_builds_once_and_again_when_a_source_was_deleted() throws Exception {
        jdk("twenty-five", "25.0.3");
        maven("3.8.7");
        Path source = Files.createFile(home.resolve("local-stack/src/main/java/Some.java"));
        touch(home.resolve("local-stack/target/paysaga.built"), -10);

        assertThat(run(home, Map.of(), "up").output)
                .contains("[1/1] everything")
                .contains("java of twenty-five");
        touch(source.getParent(), -100);
        touch(source, -100);
        assertThat(run(home, Map.of(), "up").output).doesNotContain("[1/1] everything");
        Files.delete(source);
        touch(source.getParent(), 100);
        assertThat(run(home, Map.of(), "up").output).contains("[1/1] everything");
    }

    @Test
    void a_failed_build_starts_nothing_and_is_tried_again() throws Exception {
        jdk("twenty-five", "25.0.3");
        program(
                folder.resolve("bin/mvn"),
                "case $* in *-v*) echo Apache Maven 3.9.9;; *) echo \"[ERROR] maven fails\"; exit 1;; esac");
        Files.delete(home.resolve("local-stack/target/paysaga.built"));

        Result first = run(home, Map.of(), "up");

        assertThat(first.code).isEqualTo(1);
        assertThat(first.output).contains("The build failed").doesNotContain("java of twenty-five");
        assertThat(run(home, Map.of(), "up").output).contains("maven fails");
    }

    private record Result(int code, String output) {}

    private Path jdk(String name, String version) throws IOException {
        Path jdk = folder.resolve("jdks").resolve(name);
        program(jdk.resolve("bin/java"), "echo java of " + name + " \"$@\"");
        program(jdk.resolve("bin/javac"), "exit 0");
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"us\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    private void maven(String version) throws IOException {
        program(
                folder.resolve("bin/mvn"),
                "case $* in *-v*) echo Apache Maven " + version
                        + ";; *) echo \"[INFO] Building everything 1.0 [1/1]\";; esac");
    }

    private static void program(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, script.startsWith("#!") ? script : "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void touch(Path file, long seconds) throws IOException {
        Files.setLastModifiedTime(
                file, java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() + seconds * 1_000));
    }

    private Result run(Path repository, Map<String, String> environment, String... arguments) throws Exception {
        return run(repository.resolve("paysaga"), repository, environment, arguments);
    }

    private Result run(Path script, Path directory, Map<String, String> environment, String... arguments)
            throws Exception {
        var command = new ArrayList<>(List.of("/bin/bash", script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", tools() + ":" + folder.resolve("bin"));
        builder.environment().put("HOME", folder.toString());
        builder.environment().put("PAYSAGA_JDK_PLACES", folder.resolve("jdks") + "/*");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), output);
    }

    /** The tools that the script may use, and none of the machine's Java or Maven. */
    private Path tools() throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of(
                "sed",
                "head",
                "tee",
                "awk",
                "grep",
                "find",
                "dirname",
                "readlink",
                "cat",
                "mkdir",
                "touch",
                "mv",
                "rm",
                "date",
                "sleep")) {
            String program = (Files.isExecutable(Path.of("/usr/bin", tool)) ? "/usr/bin/" : "/bin/") + tool;
            program(tools.resolve(tool), "exec " + program + " \"$@\"");
        }
        return tools;
    }
}
