package dev.paysaga.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paysaga.explorer.Explorer;
import dev.paysaga.explorer.Violation;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the exploration prints for a violation is a test: pasted, it compiles, and it fails until the saga is mended. */
class PastedTestTest {

    private static final List<Mutant> MUTANTS = Mutants.all();

    @TempDir
    Path folder;

    /** Some of each kind: two sagas, inboxes, commands, parked events. */
    static Stream<Integer> mutants() {
        return Stream.of(0, 4, 28, 34, 43, 49, 50);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void it_fails_while_the_safeguard_is_missing_and_passes_once_it_is_there(int number) throws Throwable {
        Mutant mutant = MUTANTS.get(number);
        Violation violation = Explorer.exhaust(mutant.choreography(), 1_000_000).violation();
        assertThat(violation).as(mutant.safeguard()).isNotNull();

        Method broken = pasted("Broken" + number, violation.asTest("Mutants.all().get(" + number + ").choreography()"));
        Method mended =
                pasted("Mended" + number, violation.asTest("Mutants.all().get(" + number + ").world().choreography()"));

        assertThatThrownBy(() -> run(broken))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(violation.invariant());
        run(mended);
    }

    @Test
    void its_name_is_the_invariant() {
        var violation = new Violation("money isn't conserved", "1 too much", List.of("client places the order"));

        assertThat(violation.asTest("world")).startsWith("@Test\nvoid money_isn_t_conserved() {\n");
    }

    private Method pasted(String name, String test) throws Exception {
        Path source = folder.resolve(name + ".java");
        Files.writeString(source, """
                package dev.paysaga.simulation;

                import dev.paysaga.explorer.Replay;
                import org.junit.jupiter.api.Test;

                class %s {
                %s}
                """.formatted(name, test.indent(4)));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var output = new StringWriter();
        boolean compiled;
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            compiled = compiler.getTask(
                            output,
                            files,
                            null,
                            List.of("-d", folder.toString(), "-proc:none", "-Xlint:all", "-Werror"),
                            null,
                            files.getJavaFileObjects(source))
                    .call();
        }
        assertThat(compiled).as(output.toString()).isTrue();
        Class<?> pasted = MethodHandles.lookup()
                .defineClass(Files.readAllBytes(folder.resolve("dev/paysaga/simulation/" + name + ".class")));
        return Arrays.stream(pasted.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .findFirst()
                .orElseThrow();
    }

    private static void run(Method test) throws Throwable {
        try {
            var instance = test.getDeclaringClass().getDeclaredConstructor();
            instance.setAccessible(true);
            test.setAccessible(true);
            test.invoke(instance.newInstance());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
