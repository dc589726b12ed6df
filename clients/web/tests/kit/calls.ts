// What another caller sees of a match: the contract over HTTP, in JSON.

/** A match as everybody may see it. */
export interface Seen {
  readonly status: string;
  readonly revision?: number;
}

/** Return a match. */
export async function seen(url: string, id: string): Promise<Seen> {
  const { match } = await call<{ match: Seen }>(url, "MatchService/GetMatch", { matchId: id });
  return match;
}

async function call<T>(url: string, method: string, request: object): Promise<T> {
  const response = await fetch(`${url}/taflhall.v1.${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
