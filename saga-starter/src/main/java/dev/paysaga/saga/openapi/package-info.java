/** What a service answers to, as an OpenAPI document made from its controllers. */
@NullMarked
package dev.paysaga.saga.openapi;

import org.jspecify.annotations.NullMarked;
