package dev.paysaga.explorer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives each distinct value a small number, so that a world is a few integers. */
final class Interner<T> {

    private final int most;
    private final Map<T, Integer> numbers = new HashMap<>();
    private final List<T> values = new ArrayList<>();

    /** @param most so many can be told apart by those who pack the numbers */
    Interner(int most) {
        this.most = most;
    }

    int number(T value) {
        Integer known = numbers.putIfAbsent(value, values.size());
        if (known != null) {
            return known;
        }
        values.add(value);
        if (values.size() > most) {
            throw new IllegalStateException("more than " + most + " distinct values, such as " + value);
        }
        return values.size() - 1;
    }

    T value(int number) {
        return values.get(number);
    }
}
