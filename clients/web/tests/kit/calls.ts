// What another caller sees of a match: the contract over HTTP, in JSON.

interface Answered {
  readonly seat?: number;
  readonly forced?: boolean;
}

/** Return the revision of a match, as everybody may see it. */
export async function revisionOf(url: string, matchId: string): Promise<number> {
  const { match } = await ask<{ match: { revision?: number } }>(url, "GetMatch", { matchId });
  return match.revision ?? 0;
}

/** Return how many answers a seat has given after a revision; those that the engine gave do not count. */
export async function answersOf(url: string, matchId: string, seat: number, after: number): Promise<number> {
  const request = { matchId, firstRevision: after + 1 };
  type Page = { revisions?: { events?: { answered?: Answered }[] }[] };
  const { revisions = [] } = await ask<Page>(url, "ListMatchEvents", request);
  const answers = revisions.flatMap(({ events = [] }) => events.flatMap(({ answered }) => answered ?? []));
  return answers.filter((answer) => (answer.seat ?? 0) === seat && answer.forced !== true).length;
}

async function ask<T>(url: string, method: string, request: object): Promise<T> {
  const response = await fetch(`${url}/taflhall.v1.MatchService/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
