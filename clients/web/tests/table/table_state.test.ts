import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { TaflhallError } from "taflhall";
import type { Update } from "taflhall";
import { MatchStatus } from "taflhall/gen/v1/match";
import {
  MatchChangeSchema,
  MatchSnapshotSchema,
  SnapshotCause,
  StreamEndSchema,
} from "taflhall/gen/v1/match_service";
import { describe, expect, test } from "vitest";

import {
  NOTHING_KNOWN,
  earlier,
  hear,
  ownDecision,
  unlogged,
  waitedFor,
} from "../../src/table/model/table_state";
import type { TableState } from "../../src/table/model/table_state";

const PLAYING = { id: "m1", status: MatchStatus.PLAYING };

function snapshot(revision: number, fields: MessageInitShape<typeof MatchSnapshotSchema> = {}): Update {
  const value = create(MatchSnapshotSchema, { match: PLAYING, ...fields } as never);
  return { kind: "snapshot", revision, resumeToken: `t${revision}`, value };
}

function change(revision: number, fields: MessageInitShape<typeof MatchChangeSchema> = {}): Update {
  const events = [{ text: `event ${revision}` }];
  const value = create(MatchChangeSchema, { events, status: MatchStatus.PLAYING, ...fields } as never);
  return { kind: "change", revision, resumeToken: `t${revision}`, value };
}

function after(...updates: Update[]): TableState {
  return updates.reduce((state, update) => hear(state, { kind: "update", update }), NOTHING_KNOWN);
}

describe("what a page knows of a match", () => {
  test("is a snapshot, and then each change", () => {
    const state = after(snapshot(3), change(4), change(5));
    expect(state.phase).toBe("following");
    expect(state.revision).toBe(5);
    expect(state.resumeToken).toBe("t5");
    expect(state.log.map(({ revision }) => revision)).toEqual([4, 5]);
  });

  test("keeps the view until the newest of several changes brings one", () => {
    const state = after(snapshot(3, { view: { seat: 1 } }), change(4));
    expect(state.view?.seat).toBe(1);
    expect(after(snapshot(3), change(4, { view: { seat: 0 } })).view?.seat).toBe(0);
  });

  test("a change ends what was proposed", () => {
    const proposed = snapshot(3, { match: { ...PLAYING, proposal: { id: "p1" } } });
    expect(after(proposed).match?.proposal?.id).toBe("p1");
    expect(after(proposed, change(4)).match?.proposal).toBeUndefined();
  });

  test("a history that was lost takes the log with it", () => {
    const rewound = snapshot(2, { cause: SnapshotCause.HISTORY_REWOUND });
    expect(after(snapshot(3), change(4), rewound).log).toEqual([]);
  });

  test("a snapshot because of the seats leaves the log", () => {
    const seats = snapshot(4, { cause: SnapshotCause.SEATS_CHANGED });
    expect(after(snapshot(3), change(4), seats).log.map(({ revision }) => revision)).toEqual([4]);
  });

  test("says which revisions the log lacks", () => {
    expect(unlogged(after(snapshot(0)))).toBeUndefined();
    expect(unlogged(after(snapshot(3)))).toEqual({ first: 1, last: 3 });
    expect(unlogged(after(snapshot(250)))).toEqual({ first: 151, last: 250 });
    const full = hear(after(snapshot(3)), {
      kind: "history",
      revisions: [1, 2, 3].map((revision) => ({ revision, events: [] }) as never),
    });
    expect(unlogged(full)).toBeUndefined();
    expect(earlier(full)).toBeUndefined();
    expect(earlier(after(snapshot(250), change(251)))).toEqual({ first: 151, last: 250 });
  });

  test("a page of history that comes late does not undo what came meanwhile", () => {
    const state = hear(after(snapshot(2), change(3)), {
      kind: "history",
      revisions: [1, 2].map((revision) => ({ revision, events: [] }) as never),
    });
    expect(state.log.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  test("has a decision of one's own only while the match is followed", () => {
    const decisions = [
      { id: "d1", seat: 1, options: [] },
      { id: "d0", seat: 0, options: [{ text: "an option" }] },
    ];
    const state = after(snapshot(3, { decisions }));
    expect(ownDecision(state)?.id).toBe("d0");
    expect(waitedFor(state)).toEqual([0, 1]);
    const replaced = new TaflhallError("REPLACED", "another caller acts for this seat now");
    const left = hear(state, { kind: "failed", failure: replaced });
    expect(left.phase).toBe("replaced");
    expect(ownDecision(left)).toBeUndefined();
  });

  test("ends with the match", () => {
    const value = create(StreamEndSchema, { match: { id: "m1", status: MatchStatus.FINISHED } });
    const state = after(snapshot(3), { kind: "end", revision: 3, resumeToken: "t3", value });
    expect(state.phase).toBe("over");
    expect(waitedFor(state)).toEqual([]);
  });
});
