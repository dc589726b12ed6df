import { useEffect, useReducer, useRef } from "preact/hooks";
import type { GetMatchViewResponse } from "taflhall/gen/v1/match_service";

import type { TableSession } from "./model/session";

/** A slider that is dragged loads only where it rests for so long. */
const REST_MS = 60;

/** Load the moment that is looked at, from a seat; the one before is shown meanwhile. */
export function useMoment(
  session: TableSession,
  revision: number | undefined,
  seat: number | undefined,
): GetMatchViewResponse | undefined {
  const moment = useRef<GetMatchViewResponse | undefined>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  if (revision === undefined) moment.current = undefined;
  useEffect(() => {
    if (revision === undefined) return;
    let isWanted = true;
    const timer = setTimeout(() => {
      session.moments.at(revision).then(
        (found) => {
          if (!isWanted) return;
          moment.current = found;
          redraw(undefined);
        },
        () => undefined, // the table says that the connection is lost
      );
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [session, revision, seat]);
  return moment.current;
}
