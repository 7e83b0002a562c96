/** The independent auditor: reads all databases and topics and recomputes what must be so. Shares no code with the services. */
@NullMarked
package dev.paysaga.stack.audit;

import org.jspecify.annotations.NullMarked;
