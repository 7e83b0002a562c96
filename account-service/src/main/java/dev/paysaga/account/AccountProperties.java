package dev.paysaga.account;

import dev.paysaga.account.domain.AttemptPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the account service, prefix {@code account}.
 *
 * @param refundPauses after the first and the second refusal of a refund; the third is the last, always
 * @param refundPoll how often due refunds are looked for
 * @param holdOverdue how old a hold may be before a person is asked about it
 * @param holdPoll how often such holds are looked for
 * @param rollup how often balances of accounts that are no wallets are rolled up
 */
@ConfigurationProperties("account")
record AccountProperties(
        @DefaultValue({"5s", "30s"}) List<Duration> refundPauses,
        @DefaultValue("500ms") Duration refundPoll,
        @DefaultValue("15m") Duration holdOverdue,
        @DefaultValue("30s") Duration holdPoll,
        @DefaultValue("2s") Duration rollup) {

    AccountProperties {
        if (refundPauses.size() != AttemptPolicy.THREE_ATTEMPTS.size()) {
            throw new IllegalArgumentException(
                    "account.refund-pauses must be two: a refund is tried three times in all, then a person decides");
        }
        refundPauses = List.copyOf(refundPauses);
    }

    AttemptPolicy attempts(Instant now) {
        return new AttemptPolicy(now, refundPauses);
    }
}
