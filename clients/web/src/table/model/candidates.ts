/**
 * Commands that a person could mean by choosing a thing on the table, legal or not.
 *
 * The contract's descriptors say which commands a game has, and which values their fields take; the
 * board says on which spots a command acts. The server says why one of them is not among the options.
 */
import { ScalarType, create } from "@bufbuild/protobuf";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";

import { CommandSchema } from "taflhall/gen/v1/table";
import type { Command } from "taflhall/gen/v1/table";

/** Numbers that a field of a command may take, as far as they are tried. */
const NUMBERS = Array.from({ length: 13 }, (_, number) => number);
/** At most so many values of one kind of command are tried. */
const MOST = 600;

type Value = Readonly<Record<string, unknown>>;

/** Return commands of every kind of a game, such as `"yggdrasil"`: those with few enough fields. */
export function commandsOf(game: string): Command[] {
  const field = CommandSchema.fields.find(({ name }) => name === game);
  const kinds = field?.fieldKind === "message" ? field.message.fields : [];
  return kinds.flatMap((kind) => {
    if (kind.fieldKind !== "message") return [];
    return valuesOf(kind.message).map((value) => {
      const inner = { kind: { case: kind.localName, value: create(kind.message, value) } };
      return create(CommandSchema, { game: { case: field?.localName, value: inner } } as never);
    });
  });
}

/** Return the kind of a command, such as `"niflheim"`. */
export function kindOf(command: Command): string {
  const inner = command.game.value as { kind?: { case?: string } } | undefined;
  return inner?.kind?.case ?? "";
}

/** Return the fields of a command. */
export function fieldsOf(command: Command): Value {
  const inner = command.game.value as { kind?: { value?: Message & Value } } | undefined;
  return inner?.kind?.value ?? {};
}

/** Return a command of a game, such as `commandOf("yggdrasil", "putNext", { card: 3 })`. */
export function commandOf(game: string, kind: string, value: Value): Command {
  const inner = { kind: { case: kind, value } };
  return create(CommandSchema, { game: { case: game, value: inner } } as never);
}

/**
 * Return commands that act on a spot, one for each kind of command, those of the kinds offered first.
 * A kind without fields that acts on the spot is made for it, and stands alone.
 */
export function meantBy(
  spot: string,
  all: readonly Command[],
  offered: readonly Command[],
  spotsOf: (command: Command) => readonly string[],
): Command[] {
  const found = new Map<string, Command>();
  for (const command of all) {
    const kind = kindOf(command);
    if (!found.has(kind) && spotsOf(command).includes(spot)) found.set(kind, command);
  }
  const made = [...found.values()].filter((command) => namesOf(command).length === 0);
  if (made.length > 0) return made;
  const kinds = new Set(offered.map(kindOf));
  const isOffered = ([kind]: [string, Command]): number => (kinds.has(kind) ? 0 : 1);
  return [...found].sort((a, b) => isOffered(a) - isOffered(b)).map(([, command]) => command);
}

function namesOf(command: Command): string[] {
  return Object.keys(fieldsOf(command)).filter((name) => !name.startsWith("$"));
}

function valuesOf(message: DescMessage): Value[] {
  let found: Value[] = [{}];
  for (const field of message.fields) {
    const values = tried(field);
    if (found.length * values.length > MOST) continue;
    found = found.flatMap((value) => values.map((one) => ({ ...value, [field.localName]: one })));
  }
  return found;
}

function tried(field: DescField): readonly unknown[] {
  if (field.fieldKind === "enum") {
    return field.enum.values.map(({ number }) => number).filter((number) => number > 0);
  }
  if (field.fieldKind !== "scalar") return [undefined];
  return field.scalar === ScalarType.BOOL ? [false, true] : NUMBERS;
}
