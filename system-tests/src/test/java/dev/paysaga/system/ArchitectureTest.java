package dev.paysaga.system;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.paysaga.saga.EventIds;
import dev.paysaga.saga.ImpossibleTransition;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Which room each thing belongs in. A rule that is in the way deserves an argument, not an exception. */
@AnalyzeClasses(packages = "dev.paysaga", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final List<String> SERVICES = List.of("order", "inventory", "account", "notification");
    private static final String[] SERVICE_PACKAGES = packages("dev.paysaga.%s..");
    private static final String[] DOMAIN_PACKAGES = packages("dev.paysaga.%s.domain..");
    private static final String STARTER = "dev.paysaga.saga..";
    private static final String RELAY = "dev.paysaga.saga.relay..";
    private static final String EVENTS = "dev.paysaga.events..";

    @ArchTest
    static final ArchRule services_never_import_each_other = slices().assignedFrom(new ByService())
            .should()
            .notDependOnEachOther()
            .because("services are deployed, scaled and broken one by one; they meet in events only");

    @ArchTest
    static final ArchRule a_domain_decides_and_nothing_else = classes()
            .that()
            .resideInAnyPackage(DOMAIN_PACKAGES)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(DOMAIN_PACKAGES)
                    .or(resideInAnyPackage("java.lang..", "java.util", "java.util.function", "java.util.stream"))
                    .or(resideInAPackage("java.util.regex").or(belongToAnyOf(URI.class, URISyntaxException.class)))
                    .or(resideInAnyPackage("java.math", "java.time..", "java.nio.charset"))
                    .or(resideInAnyPackage(EVENTS, "org.apache.avro..", "org.jspecify.."))
                    .or(belongToAnyOf(ImpossibleTransition.class, EventIds.class))
                    .as("are data, events or the refusal of an impossible one"))
            .because("a decision that needs no database, broker or framework can be explored in every interleaving");

    @ArchTest
    static final ArchRule a_domain_knows_no_clock_and_no_chance = noClasses()
            .that()
            .resideInAnyPackage(DOMAIN_PACKAGES)
            .should()
            .accessTargetWhere(readsAClockOrRollsADice())
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .because("whoever replays an event must arrive at the same decision; times and ids are passed in");

    @ArchTest
    static final ArchRule a_domain_counts_money_exactly = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(DOMAIN_PACKAGES)
            .should()
            .haveRawType(isFloatingPoint())
            .because("a double cannot hold a tenth of a euro; money is a long of minor units");

    @ArchTest
    static final ArchRule a_domain_is_told_exact_amounts = noCodeUnits()
            .that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(DOMAIN_PACKAGES)
            .should()
            .haveRawParameterTypes(anyFloatingPoint())
            .orShould()
            .haveRawReturnType(isFloatingPoint())
            .because("a double cannot hold a tenth of a euro; money is a long of minor units");

    @ArchTest
    static final ArchRule leases_and_retentions_are_judged_by_the_database = noClasses()
            .that()
            .resideInAPackage("dev.paysaga.saga.idempotency..")
            .should()
            .accessTargetWhere(readsAClock())
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("replicas' clocks differ, and two of them would hold one key at once");

    @ArchTest
    static final ArchRule the_starter_knows_no_business = noClasses()
            .that()
            .resideInAPackage(STARTER)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(EVENTS, "dev.paysaga.stack..", "dev.paysaga.simulation..")
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVICE_PACKAGES)
            .because("it is mechanics that others can use for another saga");

    @ArchTest
    static final ArchRule the_starter_names_no_business = noClasses()
            .that()
            .resideInAPackage(STARTER)
            .should()
            .haveSimpleNameContaining("Payment")
            .orShould()
            .haveSimpleNameContaining("Stock")
            .orShould()
            .haveSimpleNameContaining("Refund")
            .orShould()
            .haveSimpleNameContaining("Wallet")
            .because("a business word in the starter is in the wrong room");

    @ArchTest
    static final ArchRule the_wire_knows_no_particular_event = noClasses()
            .that()
            .resideInAPackage("dev.paysaga.wire..")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.paysaga..").and(not(resideInAPackage("dev.paysaga.wire.."))))
            .because("bytes and headers are the same for every language that is published");

    @ArchTest
    static final ArchRule only_the_relay_sends_to_kafka = noClasses()
            .that(are(resideInAnyPackage(SERVICE_PACKAGES)
                    .or(resideInAPackage(STARTER).and(not(resideInAPackage(RELAY))))))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients.producer..")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching(
                    "org\\.springframework\\.kafka\\.core\\.(KafkaTemplate|KafkaOperations|ProducerFactory).*")
            .because(
                    "what is sent beside the outbox can be sent without having happened, or happen without being sent");

    @ArchTest
    static final ArchRule the_simulation_runs_pure_decisions = noClasses()
            .that()
            .resideInAPackage("dev.paysaga.simulation..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(SERVICE_PACKAGES).and(not(resideInAnyPackage(DOMAIN_PACKAGES))))
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "org.apache.kafka..", "java.sql..")
            .allowEmptyShould(true)
            .because("it explores millions of states a minute; a database would make that a handful");

    @ArchTest
    static final ArchRule the_stack_runs_services_as_processes = noClasses()
            .that()
            .resideInAPackage("dev.paysaga.stack..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVICE_PACKAGES)
            .because("what shares a process with a service cannot see it die");

    @ArchTest
    static final ArchRule packages_of_the_starter_stand_on_each_other_without_a_circle = slices().matching(
                    "dev.paysaga.saga.(*)..")
            .should()
            .beFreeOfCycles()
            .because("each mechanism can be read, and left out, without the one that stands on it");

    @ArchTest
    static final ArchRule names_say_what_a_thing_is = noClasses()
            .should()
            .haveNameMatching(".*(Impl|Dto|DTO|Util|Utils|Helper|Manager|Mapper)")
            .because("such a name says that nobody has found out what the class is for");

    @ArchTest
    static final ArchRule services_speak_through_the_log = noClasses()
            .that()
            .resideInAnyPackage(SERVICE_PACKAGES)
            .or()
            .resideInAPackage(STARTER)
            .should(ACCESS_STANDARD_STREAMS)
            .orShould(USE_JAVA_UTIL_LOGGING)
            .because("standard output has no level, no time and no trace");

    private static DescribedPredicate<JavaAccess<?>> readsAClock() {
        Set<String> clocks = Set.of("currentTimeMillis", "nanoTime");
        return describe("a clock", access -> {
            String owner = access.getTargetOwner().getName();
            String name = access.getTarget().getName();
            return owner.startsWith("java.time.") && name.equals("now")
                    || owner.startsWith("java.") && clocks.contains(name);
        });
    }

    private static DescribedPredicate<JavaAccess<?>> readsAClockOrRollsADice() {
        Set<String> chance = Set.of("randomUUID", "random");
        return readsAClock().or(describe("a dice", access -> {
            String owner = access.getTargetOwner().getName();
            String name = access.getTarget().getName();
            return owner.startsWith("java.") && chance.contains(name)
                    || owner.equals(EventIds.class.getName()) && name.equals("next");
        }));
    }

    private static DescribedPredicate<JavaClass> isFloatingPoint() {
        return describe(
                "floating point",
                type -> Set.of("double", "float", "java.lang.Double", "java.lang.Float")
                        .contains(type.getName()));
    }

    private static DescribedPredicate<List<JavaClass>> anyFloatingPoint() {
        return describe("any floating point", types -> types.stream().anyMatch(isFloatingPoint()));
    }

    private static String[] packages(String pattern) {
        return SERVICES.stream().map(pattern::formatted).toArray(String[]::new);
    }

    private static final class ByService implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SERVICES.stream()
                    .filter(service ->
                            resideInAPackage("dev.paysaga." + service + "..").test(type))
                    .findFirst()
                    .map(SliceIdentifier::of)
                    .orElse(SliceIdentifier.ignore());
        }

        @Override
        public String getDescription() {
            return "services";
        }
    }
}
