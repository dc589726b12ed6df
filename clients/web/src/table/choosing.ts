/** How a person comes to an answer: by things on the board, by the list, or by a form for all of it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GetGameResponse } from "taflhall/gen/v1/catalog_service";
import type { Command, Decision, Option, View } from "taflhall/gen/v1/table";

import type { GameBoard, Spot } from "../boards";
import { text } from "../texts";
import { useEscape } from "./keys";
import { commandsOf, meantBy } from "./model/candidates";
import { formOf } from "./model/form_of";
import type { Form } from "./model/forms";
import type { Situation, TableSession } from "./model/session";

export interface Choosing {
  readonly decision: Decision | undefined;
  /** The options to show: those of the chosen thing, or all. */
  readonly shown: readonly Option[];
  /** The spots of all options. */
  readonly live: ReadonlySet<Spot>;
  /** The spots of the option that is looked at. */
  readonly marked: ReadonlySet<Spot>;
  /** The thing that was chosen on the board. */
  readonly thing: Spot | undefined;
  readonly isLive: boolean;
  chooseThing(spot: Spot | undefined): void;
  /** Give an option as the answer, or open the form for the whole of it. */
  choose(option: Option): void;
  lookAt(option: Option | undefined): void;
  /** Return the commands that could be meant by the chosen thing. */
  meant(): Command[];
  spotsOf(command: Command): readonly Spot[];
  /** The form that is open. */
  readonly form: Form | undefined;
  /** Open the form of the decision; unset if it has none. */
  readonly openForm: (() => void) | undefined;
  send(commands: readonly Command[]): void;
  closeForm(): void;
}

export function useChoosing(
  session: TableSession,
  situation: Situation,
  drawing: GameBoard,
  components: GetGameResponse,
  view: View,
  isPast: boolean,
): Choosing {
  const [thing, setThing] = useState<Spot>();
  const [lookedAt, lookAt] = useState<Option>();
  const [opened, setOpened] = useState<{ readonly form: Form; readonly decisionId: string }>();
  const decision = isPast ? undefined : situation.decision;

  const spotsOf = (command: Command): readonly Spot[] => {
    try {
      return drawing.spotsOf(command, view, decision);
    } catch {
      return []; // a command that makes no sense at this table
    }
  };
  const spots = useMemo(() => {
    const options = decision?.options ?? [];
    return new Map(options.map((one) => [one, one.command ? spotsOf(one.command) : []] as const));
  }, [decision, view]);
  const live = useMemo(() => new Set([...spots.values()].flat()), [spots]);
  const marked = useMemo(() => new Set(lookedAt && spots.get(lookedAt)), [lookedAt, spots]);
  const at = (spot: Spot): Option[] =>
    decision?.options.filter((option) => spots.get(option)?.includes(spot)) ?? [];

  const formFor = (chosen: Command | undefined): Form | undefined =>
    decision && formOf({ decision, chosen, view, components: components.components, text });
  const own = useMemo(() => (situation.draft ? undefined : formFor(undefined)), [decision?.id]);
  const open = (form: Form): void => {
    if (decision) setOpened({ form, decisionId: decision.id });
  };
  useEffect(() => {
    setThing(undefined);
    lookAt(undefined);
    if (own) open(own);
  }, [decision?.id]);
  useEscape(() => setThing(undefined));

  const choose = (option: Option): void => {
    if (!decision) return;
    const form = own || !option.command ? undefined : formFor(option.command);
    if (form) open(form);
    else session.answer(decision, [option]);
  };
  const game = view.shared?.game.case ?? "";
  const all = useMemo(() => commandsOf(game), [game]);
  const isLive = thing !== undefined && live.has(thing);
  return {
    decision,
    shown: isLive ? at(thing) : (decision?.options ?? []),
    live,
    marked,
    thing,
    isLive,
    chooseThing(spot) {
      const [only, ...others] = spot === undefined ? [] : at(spot);
      if (spot !== undefined && spot === thing && only && others.length === 0) choose(only);
      else setThing(spot);
    },
    choose,
    lookAt,
    meant() {
      const offered = decision?.options.flatMap(({ command }) => command ?? []) ?? [];
      return thing === undefined ? [] : meantBy(thing, all, offered, spotsOf);
    },
    spotsOf,
    form: opened?.decisionId === decision?.id ? opened?.form : undefined,
    openForm: own && (() => open(own)),
    send(commands) {
      setOpened(undefined);
      if (decision) session.answer(decision, commands);
    },
    closeForm: () => setOpened(undefined),
  };
}
