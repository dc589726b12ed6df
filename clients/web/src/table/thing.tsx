/** A thing on the table that was chosen: what it is, and why it cannot be used now. */
import { useEffect, useState } from "preact/hooks";
import { TaflhallError } from "taflhall";
import type { ExplainCommandResponse } from "taflhall/gen/v1/match_service";
import type { Command } from "taflhall/gen/v1/table";

import type { ComponentCard } from "../boards";
import { text } from "../texts";
import { useNamed } from "./named";
import { Rule } from "./rules";

/** The card of a thing: its name, values, text and rules. */
export function Card({ card, withRules }: { card: ComponentCard; withRules: boolean }) {
  return (
    <div class="thing-card">
      {card.picture && <div class="thing-picture">{card.picture}</div>}
      <h3>
        {card.title} <small>{card.kind}</small>
      </h3>
      {card.facts.length > 0 && (
        <dl>
          {card.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {card.text && <p>{card.text}</p>}
      {card.rules.length > 0 && (
        <p class="thing-rules">
          {card.rules.map((rule) =>
            withRules ? (
              <Rule key={rule} number={rule} />
            ) : (
              <span key={rule} class="rule">
                {rule}
              </span>
            ),
          )}
        </p>
      )}
    </div>
  );
}

type Found = readonly ExplainCommandResponse[] | "asking" | "nothing" | "unknown";

/** At most so many commands are asked about. */
const MOST = 6;

/** Why nothing can be done with a thing: what the server says to the commands that could be meant. */
export function WhyNot(props: {
  /** What is asked about; another one is another question. */
  subject: string;
  /** Return the commands that could be meant. */
  meant: () => readonly Command[];
  explain: (command: Command) => Promise<ExplainCommandResponse>;
}) {
  const { subject, meant, explain } = props;
  const named = useNamed();
  const [found, setFound] = useState<Found>("asking");
  useEffect(() => {
    let isWanted = true;
    const commands = meant().slice(0, MOST);
    setFound(commands.length === 0 ? "nothing" : "asking");
    Promise.all(commands.map(explain)).then(
      (all) => {
        const refusals = telling(all);
        if (isWanted && all.length > 0) setFound(refusals.length > 0 ? refusals : "unknown");
      },
      (error: unknown) => {
        if (!(error instanceof TaflhallError)) throw error;
        if (isWanted) setFound("unknown");
      },
    );
    return () => void (isWanted = false);
  }, [subject]);
  if (typeof found === "string") {
    return (
      <p class="hint" role="status" aria-busy={found === "asking"}>
        {text(`table-why-${found}`)}
      </p>
    );
  }
  return (
    <div role="status">
      <ul class="why">
        {found.map(({ refusal, ruleText }, index) => (
          <li key={index}>
            <strong>{named(refusal?.text ?? "")}</strong> <Rule number={refusal?.rule ?? ""} />
            {ruleText && <p class="hint">{ruleText}</p>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Codes of refusals to commands that make no sense, rather than to something that one could want. */
const SAY_LITTLE = new Set([
  "bad_argument",
  "malformed_command",
  "not_pending",
  "space_not_in_play",
  "wrong_decision",
]);

/** Return the refusals that say most, each reason once. */
function telling(all: readonly ExplainCommandResponse[]): ExplainCommandResponse[] {
  const refused = all.filter(({ legal }) => !legal);
  const clear = refused.filter(({ refusal }) => refusal?.rule && !SAY_LITTLE.has(refusal.code));
  const found = clear.length > 0 ? clear : refused;
  return [...new Map(found.map((one) => [`${one.refusal?.rule} ${one.refusal?.text}`, one])).values()];
}
