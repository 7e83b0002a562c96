package dev.paysaga.events;

import static org.apache.avro.SchemaCompatibility.SchemaCompatibilityType.COMPATIBLE;
import static org.apache.avro.SchemaCompatibility.checkReaderWriterCompatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility.Incompatibility;

/**
 * What may become of a published schema: FULL compatibility as Avro defines it, and two rules on top.
 *
 * <p>Avro lets an enum grow if it has a default, yet old readers then mistake the new symbol for the default; and it lets
 * text become a UUID, which no old text is.
 */
final class SchemaEvolution {

    private SchemaEvolution() {}

    /** Why the younger schema must not be published after the older one; empty if it may be. */
    static List<String> objections(Schema older, Schema younger) {
        List<String> objections = new ArrayList<>();
        addIncompatibilities("new readers, old events", younger, older, objections);
        addIncompatibilities("old readers, new events", older, younger, objections);
        addChangedTypes(older.getFullName(), older, younger, objections);
        return objections;
    }

    private static void addIncompatibilities(String who, Schema reader, Schema writer, List<String> objections) {
        var verdict = checkReaderWriterCompatibility(reader, writer);
        if (verdict.getType() != COMPATIBLE) {
            for (Incompatibility reason : verdict.getResult().getIncompatibilities()) {
                objections.add(
                        who + ": " + reason.getType() + " at " + reason.getLocation() + ", " + reason.getMessage());
            }
        }
    }

    private static void addChangedTypes(String place, Schema older, Schema younger, List<String> objections) {
        if (older.getType() != younger.getType() || !Objects.equals(older.getLogicalType(), younger.getLogicalType())) {
            objections.add(place + ": " + older + " became " + younger);
            return;
        }
        switch (older.getType()) {
            case RECORD -> {
                for (Schema.Field field : older.getFields()) {
                    Schema.Field now = younger.getField(field.name());
                    if (now != null) {
                        addChangedTypes(place + "." + field.name(), field.schema(), now.schema(), objections);
                    }
                }
            }
            case ENUM -> {
                if (!older.getEnumSymbols().equals(younger.getEnumSymbols())) {
                    objections.add(place + ": the symbols of an enum never change; use a string with a documented set");
                }
            }
            case ARRAY -> addChangedTypes(place + "[]", older.getElementType(), younger.getElementType(), objections);
            case MAP -> addChangedTypes(place + "{}", older.getValueType(), younger.getValueType(), objections);
            case UNION -> {
                for (int i = 0;
                        i < Math.min(older.getTypes().size(), younger.getTypes().size());
                        i++) {
                    addChangedTypes(
                            place, older.getTypes().get(i), younger.getTypes().get(i), objections);
                }
            }
            default -> {}
        }
    }
}
