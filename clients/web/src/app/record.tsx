import { useState } from "preact/hooks";

import { ReplayScreen } from "../table";
import { text } from "../texts";

/** Opens the file of a record, and replays it. */
export function RecordScreen() {
  const [file, setFile] = useState<string>();
  const open = async (chosen: File | undefined): Promise<void> => setFile(await chosen?.text());
  if (file !== undefined) return <ReplayScreen file={file} />;
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
            accept=".json"
            onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
          />
        </label>
      </p>
    </div>
  );
}
