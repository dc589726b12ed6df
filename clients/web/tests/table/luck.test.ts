import { create } from "@bufbuild/protobuf";
import { MatchSchema } from "taflhall/gen/v1/match";
import { afterEach, describe, expect, test, vi } from "vitest";

import { checkLuck, rememberDigest } from "../../src/table/model/luck";

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);
const DIGEST = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const UNDER_WAY = create(MatchSchema, { id: "m1", secretDigest: bytes(DIGEST) });
const OVER = create(MatchSchema, { ...UNDER_WAY, secret: SECRET });

afterEach(() => void vi.unstubAllGlobals());

describe("the luck of a match", () => {
  test("is true if the secret has the digest that was shown during the match", async () => {
    const store = storage();
    rememberDigest(UNDER_WAY, store);
    expect(await checkLuck(OVER, store)).toMatchObject({ secretFits: true, digestIsTheSame: true });
  });

  test("is not known to be the same by a page that came late", async () => {
    const store = storage();
    rememberDigest(OVER, store);
    expect(await checkLuck(OVER, store)).toMatchObject({ secretFits: true, digestIsTheSame: undefined });
  });

  test("is false with another secret, or another digest than before", async () => {
    const store = storage();
    rememberDigest(UNDER_WAY, store);
    const other = create(MatchSchema, { ...OVER, secret: SECRET.toReversed() });
    expect(await checkLuck(other, store)).toMatchObject({ secretFits: false, digestIsTheSame: true });
    const changed = create(MatchSchema, { ...OVER, secretDigest: bytes("ab".repeat(32)) });
    expect(await checkLuck(changed, store)).toMatchObject({ secretFits: false, digestIsTheSame: false });
  });

  test("is not judged where the browser offers no digest, which is outside of a secure origin", async () => {
    vi.stubGlobal("crypto", {});
    const store = storage();
    rememberDigest(UNDER_WAY, store);
    expect(await checkLuck(OVER, store)).toMatchObject({ secretFits: undefined, digestIsTheSame: true });
  });
});
