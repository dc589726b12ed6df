import { useEffect, useMemo, useReducer, useRef } from "preact/hooks";
import type { Match } from "taflhall";
import type { MatchChange } from "taflhall/gen/v1/match_service";

import { connectionState } from "../connection";
import { language } from "../texts";
import { hex } from "./model/luck";
import type { Store } from "./model/pending";
import type { Situation } from "./model/session";
import { TableSession } from "./model/session";

/** Follow a match while the component is shown; a new session follows a new connection. */
export function useSession(
  match: Match,
  onHappened: (change: MatchChange, revision: number) => void,
): { readonly session: TableSession; readonly situation: Situation } {
  const [changes, redraw] = useReducer((count: number) => count + 1, 0);
  const happened = useRef(onHappened);
  happened.current = onHappened;
  const session = useMemo(
    () =>
      new TableSession(
        match,
        language.value,
        { changed: () => redraw(undefined), happened: (...what) => happened.current(...what) },
        { session: storage("sessionStorage"), local: storage("localStorage") },
        newRequestId,
      ),
    [match.id, match.secret, match.client],
  );
  useEffect(() => {
    const stop = new AbortController();
    void session.follow(stop.signal);
    return () => stop.abort(new DOMException("the table was left", "AbortError"));
  }, [session]);
  const connection = connectionState.value;
  useEffect(() => {
    if (connection === "live") session.resume();
  }, [connection, session]);
  const situation = useMemo(() => session.situation, [session, changes]);
  return { session, situation };
}

/** Return a request id that nobody can guess; `randomUUID` would want a secure origin. */
function newRequestId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Return a storage of the browser; where it is forbidden, one that lasts as long as the page. */
export function storage(name: "sessionStorage" | "localStorage"): Store {
  try {
    return globalThis[name];
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}
