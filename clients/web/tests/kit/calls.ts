// What another caller sees of a match: the contract over HTTP, in JSON.

/** Return the revision of a match, as everybody may see it. */
export async function revisionOf(url: string, matchId: string): Promise<number> {
  const response = await fetch(`${url}/taflhall.v1.MatchService/GetMatch`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ matchId }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { match } = (await response.json()) as { match: { revision?: number } };
  return match.revision ?? 0;
}
