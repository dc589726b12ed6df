import { useState } from "preact/hooks";
import { TaflhallError } from "taflhall";

/** Something that a person can have done: it runs once at a time, and says why it failed. */
export interface Action {
  readonly isBusy: boolean;
  readonly failure: TaflhallError | undefined;
  /** Run *work*, unless an earlier one is under way. */
  readonly run: (work: () => Promise<void>) => void;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<TaflhallError>();
  const run = (work: () => Promise<void>): void => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    work()
      .catch((error: unknown) => {
        if (!(error instanceof TaflhallError)) throw error;
        setFailure(error);
      })
      .finally(() => setBusy(false));
  };
  return { isBusy, failure, run };
}
