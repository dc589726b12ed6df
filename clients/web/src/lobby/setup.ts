import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { fromJson, toJson } from "@bufbuild/protobuf";
import type { Game, SetupField } from "taflhall/gen/v1/catalog_service";
import { SetupField_Type } from "taflhall/gen/v1/catalog_service";
import { SetupSchema } from "taflhall/gen/v1/table";
import type { Setup } from "taflhall/gen/v1/table";

/** The value of a setup field: a truth value, a number (of a name: its number), or a list of them. */
export type FieldValue = boolean | number | readonly number[];

/** The fields of a setup that differ from their defaults, by name. */
export type Chosen = Readonly<Record<string, FieldValue>>;

/** Return the default of a field; `undefined` if something is drawn or follows from the rest. */
export function defaultOf(field: SetupField): FieldValue | undefined {
  const value: unknown = JSON.parse(field.defaultJson || "null");
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map((one) => numberOf(field, one));
  return typeof value === "boolean" ? value : numberOf(field, value);
}

/** Return the setup of a game with these fields; what is not named takes its default. */
export function setupOf(game: Game, chosen: Chosen): Setup {
  const { seats, ...own } = chosen;
  const json: JsonObject = { game: game.id };
  if (typeof seats === "number") json["seats"] = seats;
  if (Object.keys(own).length > 0) json[game.id] = own as JsonObject;
  return fromJson(SetupSchema, json);
}

/** A field of a setup and its value, in words. */
export interface Described {
  readonly field: SetupField;
  readonly value: string;
}

/** Return the fields of a setup that differ from the defaults of its game. */
export function describeSetup(
  game: Game,
  setup: Setup,
  words: { yes: string; no: string },
): Described[] {
  const json = toJson(SetupSchema, setup, { useProtoFieldName: true, enumAsInteger: true });
  const own = isObject(json) ? json[game.id] : undefined;
  const values = isObject(own) ? own : {};
  return game.setupFields.flatMap((field) => {
    const value = values[field.name];
    if (field.name === "seats" || value === undefined) return [];
    const usual = defaultOf(field);
    if (JSON.stringify(value) === JSON.stringify(usual)) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return [{ field, value: [value].flat().map((one) => wordOf(field, one, words)).join(", ") }];
  });
}

/** Return the word for a value of a field. */
export function wordOf(
  field: SetupField,
  value: JsonValue | undefined,
  words: { yes: string; no: string },
): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  const named = field.values.find(({ number }) => number === value);
  return named ? named.text || named.name : String(value);
}

function numberOf(field: SetupField, value: unknown): number {
  if (field.type !== SetupField_Type.NAME) return Number(value);
  return field.values.find(({ name }) => name === value)?.number ?? 0;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
