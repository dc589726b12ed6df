import { fromBinary, fromJsonString } from "@bufbuild/protobuf";
import { useState } from "preact/hooks";
import { MatchRecordSchema } from "taflhall/gen/v1/match";
import type { MatchRecord } from "taflhall/gen/v1/match";

import { ReplayScreen } from "../table";
import { text } from "../texts";

/** Opens the file of a record, and replays it. */
export function RecordScreen() {
  const [record, setRecord] = useState<MatchRecord>();
  const [isUnreadable, setUnreadable] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const found = parsed(new Uint8Array(await file.arrayBuffer()));
    setUnreadable(found === undefined);
    setRecord(found);
  };
  if (record !== undefined) return <ReplayScreen record={record} />;
  return (
    <div class="narrow">
      <h1>{text("record-title")}</h1>
      <p>{text("record-about")}</p>
      <p>
        <label class="button primary">
          {text("record-open")}
          <input
            class="unseen"
            type="file"
            accept=".json,.pb,.bin"
            onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
          />
        </label>
      </p>
      {isUnreadable && (
        <p class="note bad" role="alert">
          {text("record-unreadable")}
        </p>
      )}
    </div>
  );
}

/** Return the record in a file, which is JSON or binary. */
function parsed(bytes: Uint8Array): MatchRecord | undefined {
  try {
    const isJson = bytes[0] === 0x7b; // {
    const json = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return isJson ? fromJsonString(MatchRecordSchema, json()) : fromBinary(MatchRecordSchema, bytes);
  } catch {
    return undefined;
  }
}
