/** Looking back: a slider over the revisions, a link to the moment, and the way back to the match. */
import { useEffect, useState } from "preact/hooks";

import { text } from "../texts";
import { stepped } from "./model/look_back";

/** The pace at which revisions follow each other by themselves. */
const PACE_MS = 900;

export function LookBackBar(props: {
  /** The revision shown; unset: the match as it is. */
  shown: number | undefined;
  last: number;
  isOver: boolean;
  onShow: (revision: number | undefined) => void;
  /** Copy the link to this moment. */
  onShare: () => void;
}) {
  const { shown, last, isOver, onShow, onShare } = props;
  const [isPlaying, setPlaying] = useState(false);
  const [isShared, setShared] = useState(false);
  useEffect(() => setShared(false), [shown]);
  useEffect(() => {
    if (!isPlaying) return;
    if (shown === undefined) return setPlaying(false);
    const timer = setTimeout(() => onShow(stepped(shown, 1, last)), PACE_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, shown, last]);
  const at = shown ?? last;
  const button = (id: string, sign: string, to: number | undefined, isPossible: boolean) => (
    <button type="button" aria-label={text(id)} title={text(id)} disabled={!isPossible} onClick={() => onShow(to)}>
      {sign}
    </button>
  );
  return (
    <div class="look-back" role="group" aria-label={text("table-look-back")} data-past={shown !== undefined}>
      {button("table-look-first", "«", 0, at > 0)}
      {button("table-look-previous", "‹", stepped(shown, -1, last), at > 0)}
      <button
        type="button"
        aria-label={text(isPlaying ? "table-look-pause" : "table-look-play")}
        onClick={() => {
          if (!isPlaying && shown === undefined) onShow(0);
          setPlaying(!isPlaying);
        }}
      >
        {isPlaying ? "‖" : "▷"}
      </button>
      {button("table-look-next", "›", stepped(shown, 1, last), shown !== undefined)}
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={text("table-revision")}
        aria-valuetext={text("table-revision-of", { at, last })}
        onInput={({ currentTarget }) => {
          setPlaying(false);
          onShow(stepped(currentTarget.valueAsNumber, 0, last));
        }}
      />
      <output>{text("table-revision-of", { at, last })}</output>
      <button
        type="button"
        title={text("table-share-about")}
        onClick={() => {
          onShare();
          setShared(true);
        }}
      >
        {text(isShared ? "table-shared" : "table-share")}
      </button>
      {shown !== undefined && (
        <button type="button" class="primary" onClick={() => onShow(undefined)}>
          {text(isOver ? "table-to-end" : "table-to-live")}
        </button>
      )}
    </div>
  );
}
