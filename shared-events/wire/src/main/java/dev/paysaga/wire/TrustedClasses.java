package dev.paysaga.wire;

import static org.apache.avro.util.ClassSecurityValidator.composite;
import static org.apache.avro.util.ClassSecurityValidator.getGlobal;
import static org.apache.avro.util.ClassSecurityValidator.setGlobal;

import org.apache.avro.generic.GenericEnumSymbol;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which classes a schema may name. Avro loads no class that was not declared safe, since a schema may come from anywhere;
 * what Avro's own compiler generated is safe, whatever its package.
 */
public final class TrustedClasses {

    private static boolean allowed;

    private TrustedClasses() {}

    /** Lets Avro load the classes that its compiler generated; done by {@link ConfluentWire}, for others to ask for. */
    public static synchronized void allowGeneratedRecords() {
        if (!allowed) {
            setGlobal(composite(getGlobal(), TrustedClasses::isGenerated));
            allowed = true;
        }
    }

    private static boolean isGenerated(Class<?> type) {
        return SpecificRecord.class.isAssignableFrom(type)
                || GenericEnumSymbol.class.isAssignableFrom(type)
                || GenericFixed.class.isAssignableFrom(type);
    }
}
