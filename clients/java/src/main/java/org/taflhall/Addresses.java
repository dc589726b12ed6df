package org.taflhall;

import io.grpc.Status;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be an address, and what an API key. */
final class Addresses {
  private static final String KEY_PREFIX = "tfk_";
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+]|[^\\s/@:\\[\\]]+):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  private Addresses() {}

  /** Returns the addresses that a text names, with commas between; throws if one is none. */
  static List<String> of(String text) {
    List<String> addresses = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    for (String address : addresses) {
      Matcher parts = HOST_AND_PORT.matcher(address);
      int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
      if (port < 1 || port > MAX_PORT) {
        String fault = "\"" + address + "\" is not an address: write HOST:PORT, such as localhost:50051";
        throw Failure.own(Reason.INVALID_ADDRESS, Status.Code.INVALID_ARGUMENT, fault).exception();
      }
    }
    return addresses;
  }

  /** Throws if no account can have that API key. */
  static void checkKey(String key) {
    if (!key.isEmpty() && !key.startsWith(KEY_PREFIX)) {
      String fault =
          "that is not an API key: one reads " + KEY_PREFIX + "..., and is not the secret of a seat";
      throw Failure.own(Reason.API_KEY_INVALID, Status.Code.UNAUTHENTICATED, fault).exception();
    }
  }
}
