// Addresses and screens are the same thing, in both directions.
// @vitest-environment node
import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { hash: "", href: "https://play.example/" });
vi.stubGlobal("addEventListener", () => undefined);
const { hrefOf, linkTo, routeOf } = await import("../src/app/router");
type Route = ReturnType<typeof routeOf>;

const ROUTES: [Route, string][] = [
  [{ screen: "lobby" }, "#/"],
  [{ screen: "match", id: "abc" }, "#/match/abc"],
  [{ screen: "match", id: "abc", revision: 0 }, "#/match/abc@0"],
  [{ screen: "match", id: "abc", revision: 12 }, "#/match/abc@12"],
  [{ screen: "join", id: "abc", code: "K7-QX" }, "#/join/abc/K7-QX"],
  [{ screen: "record" }, "#/record"],
  [{ screen: "tournaments" }, "#/tournaments"],
  [{ screen: "tournament", id: "t/1" }, "#/tournament/t%2F1"],
  [{ screen: "game", game: "yggdrasil" }, "#/games/yggdrasil"],
  [{ screen: "rules", game: "champions", rule: "CM-5.8" }, "#/rules/champions/CM-5.8"],
];

test.each(ROUTES)("%j has the address %s", (route, address) => {
  expect(hrefOf(route)).toBe(address);
  expect(routeOf(address)).toEqual(route);
});

test.each(["", "#", "#/nowhere", "#/match/abc@-1", "#/match/abc@x", "#/%E0%A4%A"])(
  "%s leads somewhere",
  (address) => {
    expect(routeOf(address).screen).toMatch(/lobby|match/);
  },
);

test("the code of an invitation is in the fragment, which browsers do not send", () => {
  const link = new URL(linkTo({ screen: "join", id: "abc", code: "SECRET" }));
  expect(link.hash).toContain("SECRET");
  expect(link.href.replace(link.hash, "")).not.toContain("SECRET");
});
