package dev.paysaga.inventory;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Sends beside the outbox. */
public final class Trespasser {

    ProducerRecord<String, String> send() {
        return new ProducerRecord<>("order.events", "paid");
    }
}
