package dev.paysaga.testkit.api;

import java.util.Random;

/** Texts that are almost right. */
public final class Mutations {

    private static final String MEANINGFUL = "\"{}[]:,0159eE.-+\\ ";

    private Mutations() {}

    /** The text with up to three changes; sometimes with none. */
    public static String of(String text, Random random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int changes = random.nextInt(4); changes > 0 && !mutated.isEmpty(); changes--) {
            int at = random.nextInt(mutated.length());
            switch (random.nextInt(5)) {
                case 0 -> mutated.deleteCharAt(at);
                case 1 -> mutated.insert(at, (char) random.nextInt(0x180));
                case 2 ->
                    mutated.insert(
                            at,
                            oneOf(
                                    random,
                                    "null",
                                    "1e999",
                                    "\\u0000",
                                    "\\ud800",
                                    "\"",
                                    "{",
                                    "[",
                                    ",",
                                    "-",
                                    "0",
                                    "9999999999999999999",
                                    "\ud83d\ude00"));
                case 3 -> mutated.setCharAt(at, MEANINGFUL.charAt(random.nextInt(MEANINGFUL.length())));
                default -> mutated.insert(at, mutated.substring(random.nextInt(at + 1), at));
            }
        }
        return mutated.toString();
    }

    /** One of them. */
    public static String oneOf(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
