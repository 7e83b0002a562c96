package dev.paysaga.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that nothing can break protects nothing: the offenders among this module's test classes break each of them. */
final class ArchitectureRulesTest {

    private static final JavaClasses OFFENDERS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("dev.paysaga");

    @ParameterizedTest
    @MethodSource("rules")
    void every_rule_notices_who_breaks_it(ArchRule rule) {
        assertThat(rule.evaluate(OFFENDERS).hasViolation()).isTrue();
    }

    static Stream<Named<ArchRule>> rules() {
        return Arrays.stream(ArchitectureTest.class.getDeclaredFields())
                .filter(field -> field.getType() == ArchRule.class)
                .map(field -> Named.of(field.getName(), rule(field)));
    }

    private static ArchRule rule(java.lang.reflect.Field field) {
        try {
            return (ArchRule) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
