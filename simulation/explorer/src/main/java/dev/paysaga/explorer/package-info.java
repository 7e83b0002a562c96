/** Explores every interleaving of a choreography's decisions. Knows no particular saga; runs the production code itself. */
@NullMarked
package dev.paysaga.explorer;

import org.jspecify.annotations.NullMarked;
