package org.taflhall.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** The arguments of an operation; those that are missing have a value of their type. */
record Given(JsonObject data) {
  int id() {
    return number("id", 0);
  }

  boolean has(String key) {
    return data.has(key) && !data.get(key).isJsonNull();
  }

  JsonElement get(String key) {
    return data.get(key);
  }

  String text(String key) {
    return has(key) ? data.get(key).getAsString() : "";
  }

  boolean flag(String key) {
    return has(key) && data.get(key).getAsBoolean();
  }

  int number(String key, int other) {
    return number(key, () -> other);
  }

  int number(String key, IntSupplier other) {
    return has(key) ? data.get(key).getAsInt() : other.getAsInt();
  }

  Duration time(String key, Duration other) {
    return has(key) ? Duration.ofNanos((long) (data.get(key).getAsDouble() * 1e9)) : other;
  }

  Given object(String key) {
    return new Given(data.getAsJsonObject(key));
  }

  JsonArray elements(String key) {
    return has(key) ? data.getAsJsonArray(key) : new JsonArray();
  }

  List<Integer> numbers(String key) {
    List<Integer> numbers = new ArrayList<>();
    elements(key).forEach(element -> numbers.add(element.getAsInt()));
    return numbers;
  }

  String[] texts(String key) {
    List<String> texts = new ArrayList<>();
    elements(key).forEach(element -> texts.add(element.getAsString()));
    return texts.toArray(String[]::new);
  }
}
