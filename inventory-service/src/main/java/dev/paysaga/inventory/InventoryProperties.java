package dev.paysaga.inventory;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the inventory service, prefix {@code inventory}.
 *
 * @param reservationOverdue how old a reservation may be before a person is asked about it
 * @param reservationPoll how often such reservations are looked for
 */
@ConfigurationProperties("inventory")
record InventoryProperties(
        @DefaultValue("15m") Duration reservationOverdue,
        @DefaultValue("30s") Duration reservationPoll) {}
