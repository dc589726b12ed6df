package org.taflhall;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.taflhall.v1.ErrorReason;

class ReasonTest {
  private static final Set<Reason> OWN =
      EnumSet.range(Reason.INVALID_ADDRESS, Reason.UNRECOGNIZED);

  @Test
  void everyReasonThatIsNotTheClientsOwnIsOfTheContract() {
    Set<String> names =
        ErrorReason.getDescriptor().getValues().stream()
            .map(value -> value.getName().substring("ERROR_REASON_".length()))
            .collect(Collectors.toSet());
    for (Reason reason : EnumSet.complementOf(EnumSet.copyOf(OWN))) {
      assertTrue(names.contains(reason.name()), reason.name());
    }
  }
}
