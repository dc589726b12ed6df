// Random matches, played by the engine while the tests run.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { fromBinary } from "@bufbuild/protobuf";
import { GetGameResponseSchema } from "taflhall/gen/v1/catalog_service";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";
import type { Decision, View } from "taflhall/gen/v1/table";
import { DecisionSchema, ViewSchema } from "taflhall/gen/v1/table";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PYTHON = process.env["TAFLHALL_PYTHON"] ?? `${ROOT}.venv/bin/python`;

/** A moment of a match: what its seat sees, and its decision unless the match is over. */
export interface Moment {
  readonly view: View;
  readonly decision: Decision | undefined;
}

export interface Matches {
  readonly components: GetGameResponse;
  readonly moments: readonly Moment[];
}

/** Play *count* random matches of a game, each with another setup. */
export function matchesOf(game: string, count: number, seed = 0): Matches {
  const script = fileURLToPath(new URL("record.py", import.meta.url));
  const output = execFileSync(PYTHON, [script, game, String(seed), String(count)], {
    encoding: "utf-8",
    maxBuffer: 1 << 28,
  });
  const [catalogue = "", ...lines] = output.trimEnd().split("\n");
  const moments = lines.map((line) => {
    const [view = "", decision = ""] = line.split(" ");
    return {
      view: fromBinary(ViewSchema, bytes(view)),
      decision: decision === "" ? undefined : fromBinary(DecisionSchema, bytes(decision)),
    };
  });
  return { components: fromBinary(GetGameResponseSchema, bytes(catalogue)), moments };
}

function bytes(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
