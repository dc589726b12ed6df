import { computed, signal } from "@preact/signals";

/** A screen of the page, with what it shows. */
export type Route =
  | { readonly screen: "lobby" }
  /** A match; with a revision, as it was then. */
  | { readonly screen: "match"; readonly id: string; readonly revision?: number }
  /** An invitation: its code is a secret, which is why it stands in the fragment. */
  | { readonly screen: "join"; readonly id: string; readonly code: string }
  /** A seat that was handed over: its secret stands in the fragment, too. */
  | { readonly screen: "deputy"; readonly id: string; readonly secret: string }
  /** The replay of a record from a file. */
  | { readonly screen: "record" }
  | { readonly screen: "tournaments" }
  | { readonly screen: "tournament"; readonly id: string }
  | { readonly screen: "games" }
  | { readonly screen: "game"; readonly game: string }
  | { readonly screen: "rules"; readonly game: string; readonly rule?: string };

const fragment = signal(location.hash);
addEventListener("hashchange", () => (fragment.value = location.hash));

/** What the address of the page asks for. */
export const route = computed(() => routeOf(fragment.value));

/** Return the route that a fragment, such as `#/match/abc@12`, stands for. */
export function routeOf(hash: string): Route {
  const [screen = "", first = "", second = ""] = hash.replace(/^#\/?/, "").split("/").map(decoded);
  switch (screen) {
    case "match": {
      const [id = "", revision] = first.split("@");
      const number = Number(revision);
      const isPast = revision !== undefined && Number.isInteger(number) && number >= 0;
      return isPast ? { screen, id, revision: number } : { screen, id };
    }
    case "join":
      return { screen, id: first, code: second };
    case "deputy":
      return { screen, id: first, secret: second };
    case "record":
    case "tournaments":
      return { screen };
    case "games":
      return first ? { screen: "game", game: first } : { screen };
    case "tournament":
      return { screen, id: first };
    case "rules":
      return second ? { screen, game: first, rule: second } : { screen, game: first };
    default:
      return { screen: "lobby" };
  }
}

/** Return the address of a route within the page: `<a href={hrefOf(route)}>`. */
export function hrefOf(to: Route): string {
  switch (to.screen) {
    case "match":
      return path("match", to.revision === undefined ? to.id : `${to.id}@${to.revision}`);
    case "join":
      return path("join", to.id, to.code);
    case "deputy":
      return path("deputy", to.id, to.secret);
    case "tournament":
      return path("tournament", to.id);
    case "game":
      return path("games", to.game);
    case "rules":
      return path("rules", to.game, ...(to.rule === undefined ? [] : [to.rule]));
    case "lobby":
      return "#/";
    default:
      return path(to.screen);
  }
}

/** Go to a route; with `replace` the present one cannot be gone back to. */
export function go(to: Route, { replace = false } = {}): void {
  const address = hrefOf(to);
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  fragment.value = location.hash;
}

/** Return the whole address of a route, for others. */
export function linkTo(to: Route): string {
  return new URL(hrefOf(to), location.href).href;
}

function path(...parts: string[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part).replaceAll("%40", "@")).join("/")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
