package org.taflhall.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.ProtocolMessageEnum;
import com.google.protobuf.util.JsonFormat;
import java.util.Locale;
import java.util.Map;
import org.taflhall.TaflhallException;
import org.taflhall.v1.Decision;
import org.taflhall.v1.Match;
import org.taflhall.v1.Refusal;

/** Makes the JSON of the driver's protocol. */
final class Json {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private Json() {}

  /** Returns an object of keys and values in turns. */
  static JsonObject object(Object... pairs) {
    JsonObject object = new JsonObject();
    for (int i = 0; i < pairs.length; i += 2) {
      object.add((String) pairs[i], element(pairs[i + 1]));
    }
    return object;
  }

  private static JsonElement element(Object value) {
    if (value == null) {
      return JsonNull.INSTANCE;
    } else if (value instanceof JsonElement element) {
      return element;
    } else if (value instanceof Number number) {
      return new JsonPrimitive(number);
    } else if (value instanceof Boolean flag) {
      return new JsonPrimitive(flag);
    } else if (value instanceof Iterable<?> items) {
      JsonArray array = new JsonArray();
      items.forEach(item -> array.add(element(item)));
      return array;
    } else if (value instanceof Map<?, ?> map) {
      JsonObject object = new JsonObject();
      map.forEach((key, item) -> object.add((String) key, element(item)));
      return object;
    }
    return new JsonPrimitive((String) value);
  }

  static JsonElement message(Message message) throws InvalidProtocolBufferException {
    return JsonParser.parseString(PRINTER.print(message));
  }

  /** Returns the message of its ProtoJSON. */
  @SuppressWarnings("unchecked")
  static <T extends Message> T parsed(JsonElement json, Message.Builder builder)
      throws InvalidProtocolBufferException {
    JsonFormat.parser().merge(json.toString(), builder);
    return (T) builder.build();
  }

  /** Returns the name of an enum's value without its prefix; its number if it has none. */
  static String name(int number, ProtocolMessageEnum value) {
    var type = value.getDescriptorForType();
    var found = type.findValueByNumber(number);
    String prefix = type.getName().replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(Locale.ROOT) + "_";
    return found == null ? String.valueOf(number) : found.getName().substring(prefix.length());
  }

  static JsonObject brief(Match match) {
    String status = name(match.getStatusValue(), match.getStatus());
    return object("status", status, "revision", match.getRevision());
  }

  static JsonObject decision(Decision decision) {
    return object(
        "id", decision.getId(),
        "seat", decision.getSeat(),
        "rule", decision.getRule(),
        "options", decision.getOptionsCount());
  }

  static JsonObject refusal(Refusal refusal) {
    return object(
        "rule", refusal.getRule(), "code", refusal.getCode(), "text", refusal.getText());
  }

  static JsonObject failure(Throwable thrown) {
    if (!(thrown instanceof TaflhallException error)) {
      return object("reason", "CLIENT", "message", thrown.toString(), "uncertain", false);
    }
    JsonArray violations = new JsonArray();
    error
        .violations()
        .forEach(fault -> violations.add(object("field", fault.field(), "code", fault.code())));
    return object(
        "reason", error.reasonName(),
        "message", error.text(),
        "metadata", error.metadata(),
        "uncertain", error.isUncertain(),
        "retry_after", error.retryAfter().toMillis() / 1000.0,
        "violations", violations);
  }
}
