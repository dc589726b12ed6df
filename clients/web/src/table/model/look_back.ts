/** Looking back: which revision is shown, and what is known of it. */
import type { GetMatchViewResponse } from "taflhall/gen/v1/match_service";

type Load = (revision: number) => Promise<GetMatchViewResponse>;

/** Views at revisions, each loaded once. A slider that is dragged loads only where it rests. */
export class Moments {
  private readonly known = new Map<number, Promise<GetMatchViewResponse>>();

  constructor(
    private readonly load: Load,
    private readonly most = 60,
  ) {}

  at(revision: number): Promise<GetMatchViewResponse> {
    const found = this.known.get(revision);
    if (found !== undefined) return found;
    const loading = this.load(revision);
    this.known.set(revision, loading);
    loading.catch(() => this.known.delete(revision));
    const [oldest] = this.known.keys();
    if (this.known.size > this.most && oldest !== undefined) this.known.delete(oldest);
    return loading;
  }

  /** What is known may be void: the history was lost, or its end has been replaced. */
  forget(): void {
    this.known.clear();
  }
}

/** Return the revision that a step of the slider leads to; the last one is the match as it is. */
export function stepped(
  shown: number | undefined,
  by: number,
  last: number,
): number | undefined {
  const next = Math.max(0, Math.min(last, (shown ?? last) + by));
  return next === last ? undefined : next;
}
