import { useEffect, useState } from "preact/hooks";
import { TaflhallError } from "taflhall";

/** How far a task is: under way, done, or failed. */
export interface Task {
  readonly isDone: boolean;
  readonly failure: TaflhallError | undefined;
}

const UNDER_WAY: Task = { isDone: false, failure: undefined };

/**
 * Run *task* while the component is shown, again when one of *inputs* changes; the signal is aborted
 * when it ends. A watch is such a task: `for await (const update of match.watch({ signal })) ...`.
 */
export function useTask(
  task: (signal: AbortSignal) => Promise<void>,
  inputs: readonly unknown[],
): Task {
  const [state, setState] = useState(UNDER_WAY);
  useEffect(() => {
    const stop = new AbortController();
    setState(UNDER_WAY);
    task(stop.signal).then(
      () => stop.signal.aborted || setState({ isDone: true, failure: undefined }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof TaflhallError)) throw error;
        setState({ isDone: true, failure: error });
      },
    );
    return () => stop.abort(new DOMException("the screen was left", "AbortError"));
  }, inputs as unknown[]);
  return state;
}
