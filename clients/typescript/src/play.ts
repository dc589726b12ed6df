import type { MessageInitShape } from "@bufbuild/protobuf";

import type { CallOptions, Client } from "./client.js";
import { TaflhallError, fromRejection, hasReason, lost } from "./errors.js";
import type { Match as MatchMessage } from "./gen/taflhall/v1/match_pb.js";
import { MatchService, ProposalPolicy, StreamEndCause } from "./gen/taflhall/v1/match_service_pb.js";
import type { PlayAnswerSchema, PlayPrompt, PlayRejection } from "./gen/taflhall/v1/match_service_pb.js";
import type { CommandSchema, Decision } from "./gen/taflhall/v1/table_pb.js";
import { Patience, sleep } from "./timing.js";
import { isOver, replaced } from "./watch.js";

/** An answer: the index of an option, or a command in full. */
export type Choice = number | MessageInitShape<typeof CommandSchema>;

/** Answers a decision; the prompt has the view and what has happened. */
export type Bot = (decision: Decision, prompt: PlayPrompt) => Choice | Promise<Choice>;

export interface PlayOptions extends CallOptions {
  /** The reply to what others propose; without one nothing is said. */
  readonly proposals?: "agree" | "refuse";
  /** Leave the view out of the prompts. */
  readonly withoutView?: boolean;
  /** Send what has happened since the last prompt; none of it is lost with a stream. */
  readonly withEvents?: boolean;
}

/** What is sent for a decision. */
export type Answer = MessageInitShape<typeof PlayAnswerSchema> & { decisionId: string };

/** How long to wait before an answer is repeated whose outcome is unknown. */
const AGAIN_MS = 200;

/** Return the answer to a decision as a message. */
export function answerOf(choice: Choice): { answer: { case: "option"; value: number } } | {
  answer: { case: "command"; value: Exclude<Choice, number> };
} {
  return typeof choice === "number"
    ? { answer: { case: "option", value: choice } }
    : { answer: { case: "command", value: choice } };
}

/** Return what streams of play begin with. */
export function entering(client: Client, options: PlayOptions) {
  const policies = { agree: ProposalPolicy.AGREE, refuse: ProposalPolicy.REFUSE };
  return {
    withView: !options.withoutView,
    withEvents: options.withEvents ?? false,
    proposals: options.proposals ? policies[options.proposals] : ProposalPolicy.UNSPECIFIED,
    language: client.language,
  };
}

/** A bot at one table: it thinks about one decision at a time, the newest that it was asked. */
export class Thinker {
  private asked = "";
  private thinking = false;
  private last: Answer | undefined;
  /** Whether the last answer came while no stream was open. */
  private unsent = false;
  /** The resume token of the last prompt that was answered; empty without events. */
  handled = "";

  constructor(
    private readonly bot: Bot,
    private readonly client: Client,
    /** Sends an answer; returns whether a stream is open. */
    private readonly send: (answer: Answer) => boolean,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Think about a prompt, unless the bot does so already or has just answered it. */
  consider(prompt: PlayPrompt): void {
    const decision = prompt.decision;
    if (decision === undefined) return;
    if (this.thinking && this.asked === decision.id) return;
    if (this.unsent && this.last?.decisionId === decision.id) {
      this.unsent = !this.send(this.last);
      return;
    }
    this.asked = decision.id;
    this.thinking = true;
    this.think(decision, prompt).catch(this.fail);
  }

  /** Repeat a refused answer if its outcome is unknown; throw if the bot has made a mistake. */
  async again(rejection: PlayRejection, signal?: AbortSignal): Promise<void> {
    const last = this.last;
    if (last === undefined || last.decisionId !== rejection.decisionId) return;
    const failure = fromRejection(rejection, this.client.language);
    if (failure.uncertain) {
      await sleep(AGAIN_MS, signal);
      this.send(last);
    } else if (!isSettled(failure)) {
      throw failure;
    }
  }

  private async think(decision: Decision, prompt: PlayPrompt): Promise<void> {
    const choice = await this.bot(decision, prompt);
    if (this.asked !== decision.id) return; // the decision is over
    this.thinking = false;
    this.last = { decisionId: decision.id, answers: [answerOf(choice)] };
    this.handled = prompt.resumeToken || this.handled;
    this.unsent = !this.send(this.last);
  }
}

/** Let a bot answer every decision of the seats of a secret until the match is over. */
export async function play(
  client: Client,
  matchId: string,
  secret: string | undefined,
  bot: Bot,
  options: PlayOptions = {},
): Promise<MatchMessage | undefined> {
  const patience = new Patience(client);
  const wants = { ...entering(client, options), matchId };
  const ending = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  let stream = client.open(MatchService.method.play, { secret, signal });
  const thinker = new Thinker(
    bot,
    client,
    (answer) => stream.requests.push({ request: { case: "answer", value: answer } }),
    (error) => ending.abort(error),
  );
  for (;;) {
    let failure = lost("the stream ended");
    try {
      const enter = { ...wants, resumeToken: thinker.handled };
      stream.requests.push({ request: { case: "enter", value: enter } });
      for (;;) {
        const message = await stream.next();
        if (message === undefined) break;
        patience.heard();
        const { response } = message;
        if (response.case === "prompt") thinker.consider(response.value);
        else if (response.case === "rejection") await thinker.again(response.value, signal);
        else if (response.case === "end") {
          if (isOver(response.value)) return response.value.match;
          if (response.value.cause === StreamEndCause.REPLACED) throw replaced();
          failure = lost("the server closed the stream");
          break;
        }
      }
    } catch (error) {
      if (!(error instanceof TaflhallError) || error.reason === "REPLACED") throw error;
      failure = error;
    } finally {
      stream.cancel();
    }
    await patience.wait(failure, signal);
    stream = client.open(MatchService.method.play, { secret, signal });
  }
}

/** Return whether an answer was refused because it came late: the decision is over. */
function isSettled(failure: TaflhallError): boolean {
  return (
    hasReason(failure, "STALE_DECISION") ||
    hasReason(failure, "MATCH_OVER") ||
    hasReason(failure, "REQUEST_ID_REUSED")
  );
}
