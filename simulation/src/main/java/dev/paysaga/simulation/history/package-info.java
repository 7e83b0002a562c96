/** What the running services did, compared step by step with what their reactions allow. */
@org.jspecify.annotations.NullMarked
package dev.paysaga.simulation.history;
