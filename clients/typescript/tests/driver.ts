// The driver of the scenario kit, see docs/writing-a-client.md.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { fromJson, toJson } from "@bufbuild/protobuf";
import type { DescMethodServerStreaming, DescMethodUnary, JsonObject, JsonValue } from "@bufbuild/protobuf";

import type { Bot, Client, Decision, Match, Update } from "taflhall/node";
import {
  AnswerGrade,
  MatchStatus,
  Reaction,
  SnapshotCause,
  TaflhallError,
  TournamentStatus,
  connect,
} from "taflhall/node";
import { AdminService } from "taflhall/gen/admin/v1/admin_service";
import { CreateTournamentRequestSchema, TournamentService } from "taflhall/gen/tournament/v1/tournament_service";
import { CatalogService } from "taflhall/gen/v1/catalog_service";
import { LobbyService } from "taflhall/gen/v1/lobby_service";
import { EngineService } from "taflhall/gen/v1/engine_service";
import { MatchService } from "taflhall/gen/v1/match_service";
import type { PlayAllEntered } from "taflhall/gen/v1/match_service";
import { bench } from "./bench.js";
import type { Refusal } from "taflhall/gen/v1/table";
import { CommandSchema, SetupSchema } from "taflhall/gen/v1/table";

type Given = Record<string, any>;
type Tell = (event: object) => void;
type Operation = (given: Given, tell: Tell, signal: AbortSignal) => Promise<object | null>;

const clients = new Map<string, Client>();
const languages = new Map<string, string>();
const matches = new Map<string, Match>();
const running = new Map<number, AbortController>();
const methods = new Map(
  [
    AdminService,
    CatalogService,
    EngineService,
    LobbyService,
    MatchService,
    TournamentService,
  ].flatMap((service) =>
    service.methods.map((method) => [`${service.typeName}/${method.name}`, method] as const),
  ),
);

const clientOf = ({ client = "default" }: Given): Client => clients.get(client)!;

/** Return the match as the owner of the secret has it: it remembers the last decision. */
function matchOf(given: Given): Match {
  const key = [given["client"] ?? "default", given["match"], given["secret"]].join(" ");
  const match = matches.get(key) ?? clientOf(given).match(given["match"], given["secret"]);
  matches.set(key, match);
  return match;
}

const ms = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

/** Return the name of a value of an enum, or the number of one that this client does not know. */
const nameIn = (names: Record<number, string>, value: number): string => names[value] ?? String(value);

const defined = (fields: Given): Given =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const operations: Record<string, Operation> = {
  async connect(given) {
    const { client = "default", address, tls } = given;
    const read = (path: string | undefined) => (path ? readFileSync(path) : undefined);
    const files = tls && defined({ ca: read(tls.ca), cert: read(tls.cert), key: read(tls.key) });
    const options = defined({
      key: given["key"],
      language: given["language"],
      callMs: ms(given["deadline"]),
      connectMs: ms(given["connect_deadline"]),
      attemptMs: ms(given["attempt"]),
      silenceMs: ms(given["silence"]),
      patienceMs: ms(given["patience"]),
      firstPauseMs: ms(given["first_pause"]),
      longestPauseMs: ms(given["longest_pause"]),
      tls: files,
    });
    clients.set(client, connect(address, options));
    languages.set(client, given["language"] ?? "en");
    return {};
  },
  async close({ client = "default" }) {
    clients.get(client)?.close();
    for (const key of matches.keys()) if (key.startsWith(`${client} `)) matches.delete(key);
    return {};
  },
  async call(given, tell, signal) {
    const named = methods.get(given["method"])!;
    const request = fromJson(named.input, given["request"], { ignoreUnknownFields: true });
    const options = { signal, secret: given["secret"] };
    if (named.methodKind === "server_streaming") {
      const stream = clientOf(given).open(named as DescMethodServerStreaming, options);
      stream.requests.push(request);
      stream.requests.close();
      for (let message; (message = await stream.next()); ) tell({ message: toJson(named.output, message) });
      return {};
    }
    const method = named as DescMethodUnary;
    const response = await clientOf(given).call(method, request, options);
    return { response: toJson(method.output, response) };
  },
  async create(given, _, signal) {
    const setup = fromJson(SetupSchema, given["setup"], { ignoreUnknownFields: true });
    const { title = "", start_when_full: startWhenFull = false } = given;
    const match = await clientOf(given).create(setup, { title, startWhenFull, signal });
    return { match: match.id, secret: match.secret };
  },
  async join(given, _, signal) {
    const kind = given["kind"] === "BOT" ? "bot" : "person";
    const seat = await matchOf(given).join(given["name"], { seats: given["seats"] ?? [], kind, signal });
    return { seats: seat.seats, secret: seat.secret };
  },
  async start(given, _, signal) {
    return brief(await matchOf(given).start({ signal }));
  },
  async get(given, _, signal) {
    const { match, decisions, resumeToken } = await matchOf(given).get({
      ...defined({ seat: given["seat"] }),
      withOptions: true,
      signal,
    });
    return { ...brief(match), decisions: decisions.map(decisionOf), resume_token: resumeToken };
  },
  async submit(given, _, signal) {
    const choices =
      given["options"] ?? given["commands"].map((command: JsonValue) => fromJson(CommandSchema, command));
    const { decision, request_id: requestId } = given;
    const done = await matchOf(given).submit(choices, { ...defined({ decision, requestId }), signal });
    return {
      revision: done.revision,
      applied: done.applied,
      replayed: done.replayed,
      status: nameIn(MatchStatus, done.status),
      decision: done.decision ? decisionOf(done.decision) : null,
      refusal: refusalOf(done.refusal),
    };
  },
  async explain(given, _, signal) {
    const command = fromJson(CommandSchema, given["command"]);
    const said = await matchOf(given).explain(command, { ...defined({ seat: given["seat"] }), signal });
    return { legal: said.legal, refusal: refusalOf(said.refusal), rule_text: said.ruleText };
  },
  async watch(given, tell, signal) {
    let last: object | null = null;
    const { seat, resume_token: resumeToken } = given;
    for await (const update of matchOf(given).watch({ ...defined({ seat, resumeToken }), signal })) {
      last = { status: statusOf(update), revision: update.revision };
      if (update.kind !== "end") tell(updateOf(update));
    }
    return last;
  },
  async play(given, tell, signal) {
    const { proposals, with_events: withEvents } = given;
    const options = { ...defined({ proposals, withEvents }), withoutView: true, signal };
    return brief(await matchOf(given).play(chooser(given, tell), options));
  },
  async play_all(given, tell, signal) {
    const { proposals, max_matches: maxMatches, games } = given;
    const at = (given["at"] ?? []) as { match: string; secret: string }[];
    const newBot = ({ match: entered, seats }: PlayAllEntered): Bot => {
      const match = entered?.id;
      tell({ match, entered: seats });
      return chooser(given, (event) => tell({ ...event, match }));
    };
    await clientOf(given).playAll(newBot, {
      ...defined({ proposals }),
      ...(maxMatches === undefined ? {} : { offer: defined({ maxMatches, games }) }),
      seats: at.map(({ match, secret }) => clientOf(given).match(match, secret)),
      withoutView: true,
      signal,
      onEnd: (match, outcome) =>
        tell(
          outcome instanceof TaflhallError
            ? { match, failure: outcome.reason }
            : { match, end: nameIn(MatchStatus, outcome.status) },
        ),
    });
    return {};
  },
  async watch_lobby(given, tell, signal) {
    for await (const update of clientOf(given).watchLobby(defined({ game: given["game"] }), { signal })) {
      if (update.case === "match") tell({ match: update.value.id });
      else if (update.case === "goneMatchId") tell({ gone: update.value });
      else tell({ lost: true });
    }
    return {};
  },
  async resign(given, _, signal) {
    return brief(await matchOf(given).resign({ ...defined({ seat: given["seat"] }), signal }));
  },
  async add_bot(given, _, signal) {
    const { bot, seat } = given;
    return brief(await matchOf(given).addBot(bot, { ...defined({ seat }), signal }));
  },
  async rematch(given, _, signal) {
    const { id, seats, secret } = await matchOf(given).rematch({ signal });
    return { match: id, seats, secret };
  },
  async react(given, _, signal) {
    const reaction = Reaction[given["reaction"] as keyof typeof Reaction] ?? Reaction.UNSPECIFIED;
    await matchOf(given).react(reaction, { signal });
    return {};
  },
  async analyse(given, _, signal) {
    const record = (await matchOf(given).record({ signal }))!;
    const { first_revision: firstRevision = 0, iterations = 0, trials = 0, most } = given;
    const decisions = [];
    for await (const { revision, seat, grade } of clientOf(given).analyse(record, {
      firstRevision,
      iterations,
      trials,
      signal,
    })) {
      decisions.push({ revision, seat, grade: nameIn(AnswerGrade, grade) });
      if (decisions.length === most) break;
    }
    return { decisions };
  },
  async tournament(given, _, signal) {
    const { action, name, account } = given;
    const tournament =
      action === "create" ? await createTournament(given, signal) : tournamentOf(given);
    const found =
      action === "enter"
        ? await tournament.enter(name, { signal })
        : action === "withdraw"
          ? await tournament.withdraw({ ...defined({ accountId: account }), signal })
          : action === "start"
            ? await tournament.start({ signal })
            : action === "cancel"
              ? await tournament.cancel({ signal })
              : await tournament.get({ signal });
    const status = nameIn(TournamentStatus, found?.status ?? 0);
    return { tournament: tournament.id, status, entrants: found?.entrants.length };
  },
  async standings(given, _, signal) {
    const lines = await tournamentOf(given).standings({ signal });
    return { standings: lines.map(({ place, accountId, points }) => ({ place, account: accountId, points })) };
  },
  async tournament_matches(given, _, signal) {
    const matches = [];
    for await (const { matchId, status } of tournamentOf(given).matches({ signal })) {
      matches.push({ match: matchId, status: nameIn(MatchStatus, status) });
    }
    return { matches };
  },
  async watch_tournament(given, tell, signal) {
    let status = "";
    for await (const update of tournamentOf(given).watch({ signal })) {
      if (update.tournament) status = nameIn(TournamentStatus, update.tournament.status);
      tell({ status, matches: update.matches.length });
    }
    return { status };
  },
  async bench(given) {
    return bench(clientOf(given), given["mode"], given["parallel"], given["seconds"]);
  },
  async cancel({ of }) {
    running.get(of)?.abort();
    return {};
  },
};

const tournamentOf = (given: Given) => clientOf(given).tournament(given["tournament"]);

async function createTournament(given: Given, signal: AbortSignal) {
  const wanted = fromJson(CreateTournamentRequestSchema, given["request"]);
  const { name, setup = {}, format, rounds, timeControl, maxEntrants, matchesAtOnce } = wanted;
  const options = { format, rounds, timeControl, maxEntrants, matchesAtOnce, signal };
  return clientOf(given).createTournament(name, setup, options);
}

/** Return a bot that takes the first option, the last or any, after a while. */
function chooser({ choose = "first", think = 0 }: Given, tell: Tell): Bot {
  return async (decision, { events }) => {
    if (think) await sleep(think * 1000);
    const last = decision.options.length - 1;
    const any = Math.floor(Math.random() * (last + 1));
    const option = choose === "first" ? 0 : choose === "last" ? last : any;
    const { id, seat, rule } = decision;
    tell({ decision: id, seat, rule, option, events: events.length });
    return option;
  };
}

const brief = (match: { status: MatchStatus; revision: number } | undefined): object => ({
  status: nameIn(MatchStatus, match?.status ?? 0),
  revision: match?.revision ?? 0,
});

const decisionOf = ({ id, seat, rule, options }: Decision): object => ({
  id,
  seat,
  rule,
  options: options.length,
});

const refusalOf = (refusal: Refusal | undefined): object | null =>
  refusal ? { rule: refusal.rule, code: refusal.code, text: refusal.text } : null;

function statusOf({ kind, value }: Update): string {
  const match = "match" in value ? value.match : undefined;
  return nameIn(MatchStatus, kind === "change" ? value.status : (match?.status ?? 0));
}

function updateOf(update: Update): object {
  const { revision, resumeToken: resume_token } = update;
  const status = statusOf(update);
  if (update.kind !== "snapshot") {
    const events = update.kind === "change" ? update.value.events : [];
    const known = events.filter(({ $unknown }) => !$unknown?.length).length;
    return { revision, snapshot: null, events: known, status, resume_token };
  }
  const { cause } = update.value;
  const snapshot = cause === SnapshotCause.UNSPECIFIED ? "BEGIN" : nameIn(SnapshotCause, cause);
  return { revision, snapshot, events: 0, status, resume_token };
}

function errorOf(error: unknown, { client = "default" }: Given): object {
  if (!(error instanceof TaflhallError)) {
    const cancelled = error instanceof Error && error.name === "AbortError";
    if (!cancelled) console.error(error);
    return { reason: cancelled ? "CANCELLED" : "UNKNOWN", message: String(error), uncertain: true };
  }
  const { reason, metadata, uncertain, violations } = error;
  return {
    reason,
    message: error.text(languages.get(client)),
    metadata,
    uncertain,
    retry_after: error.retryAfterMs / 1000,
    violations: violations.map(({ field, code }) => ({ field, code })),
  };
}

async function carryOut(given: Given): Promise<void> {
  const { id, op } = given as { id: number; op: string };
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const result = await operations[op]!(given, (event) => say({ id, event }), controller.signal);
    say({ id, result });
  } catch (error) {
    say({ id, error: errorOf(error, given) });
  } finally {
    running.delete(id);
  }
}

const say = (line: object): boolean => process.stdout.write(JSON.stringify(line) + "\n");

const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string };
say({ protocol: 1, client: `taflhall-typescript ${version}`, operations: Object.keys(operations) });
for await (const line of createInterface({ input: process.stdin })) {
  void carryOut(JSON.parse(line) as JsonObject);
}
process.exit(0);
