package org.taflhall;

/**
 * One fault of a request.
 *
 * @param field the path of the field in the request
 * @param code a stable name of the fault, such as OUT_OF_RANGE
 * @param text what was expected and what was found, in the language of the client
 */
public record Violation(String field, String code, String text) {}
