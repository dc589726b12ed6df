import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GameRule } from "taflhall/gen/v1/catalog_service";

import { hrefOf } from "../app/router";
import { useGame } from "../connection/catalog";
import { TextField } from "../parts/fields";
import { FailureNote, Waiting } from "../parts/notes";
import { Ruled } from "../parts/ruled";
import { text } from "../texts";

/** The rulebook of a game by number; the rule of the address is shown at once. */
export function RulesScreen({ game, rule }: { game: string; rule: string | undefined }) {
  const { value: whole, failure } = useGame(game);
  const [wanted, setWanted] = useState("");
  const chapters = useMemo(() => chaptersOf(whole?.rules ?? [], wanted), [whole, wanted]);
  const place = useRef<HTMLDivElement>(null);
  const chosen = nearest(whole?.rules ?? [], rule);
  useEffect(() => {
    const found = place.current?.querySelector("[aria-current]");
    found?.scrollIntoView({ block: "center" });
  }, [chosen, whole]);
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (whole === undefined) return <Waiting />;
  return (
    <div class="rules" ref={place}>
      <h1>{text("rules-title", { game: whole.game?.title ?? game })}</h1>
      <p class="links">
        <a href={hrefOf({ screen: "game", game })}>{text("game-options")}</a>
      </p>
      <TextField label={text("rules-search")} value={wanted} onInput={setWanted} />
      {chapters.size === 0 && <p class="soft">{text("rules-none")}</p>}
      {[...chapters].map(([chapter, rules]) => (
        <section key={chapter} aria-label={chapter}>
          <h2>{chapter}</h2>
          <dl>
            {rules.map(({ number, text: words }) => (
              <div key={number} aria-current={number === chosen ? "true" : undefined}>
                <dt>
                  <a href={hrefOf({ screen: "rules", game, rule: number })}>{number}</a>
                </dt>
                <dd>
                  <Ruled game={game}>{words}</Ruled>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** Return the rules by chapter ("YG-7") that have every word of *wanted*. */
function chaptersOf(rules: readonly GameRule[], wanted: string): Map<string, GameRule[]> {
  const words = wanted.toLowerCase().split(/\s+/);
  const found = rules.filter(({ number, text: about }) => {
    const whole = `${number} ${about}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  return Map.groupBy(found, ({ number }) => number.split(".")[0] ?? number);
}

/** Return the number of the rule that *wanted* names in any spelling: `yg 7.9A`, `7.9a`. */
function nearest(rules: readonly GameRule[], wanted: string | undefined): string | undefined {
  if (wanted === undefined) return undefined;
  const plain = (number: string): string => number.toLowerCase().replace(/[^a-z0-9.]/g, "");
  const bare = (number: string): string => plain(number).replace(/^[a-z]+/, "");
  const found =
    rules.find(({ number }) => plain(number) === plain(wanted)) ??
    rules.find(({ number }) => bare(number) === bare(wanted)) ??
    rules.find(({ number }) => plain(number).startsWith(plain(wanted)));
  return found?.number;
}
