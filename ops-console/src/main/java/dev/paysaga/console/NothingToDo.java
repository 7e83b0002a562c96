package dev.paysaga.console;

import dev.paysaga.saga.inbox.Lane;
import dev.paysaga.saga.inbox.Participant;
import dev.paysaga.saga.inbox.ReceivedEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.springframework.stereotype.Component;

/** The console takes part in no saga. Its work orders are decided by people alone. */
@Component
final class NothingToDo implements Participant<Boolean> {

    @Override
    public Map<Lane, Set<String>> topics() {
        return Map.of();
    }

    @Override
    public Boolean load(Collection<ReceivedEvent> events) {
        return false;
    }

    @Override
    public List<SpecificRecord> react(ReceivedEvent event, Boolean world) {
        return List.of();
    }

    @Override
    public void save(Boolean world) {}
}
