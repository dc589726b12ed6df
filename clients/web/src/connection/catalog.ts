import { useState } from "preact/hooks";
import { CatalogService } from "taflhall/gen/v1/catalog_service";
import type { Game, GetGameResponse } from "taflhall/gen/v1/catalog_service";

import { language } from "../texts";
import { client } from "./index";
import type { Task } from "./task";
import { useTask } from "./task";

const games = new Map<string, Promise<readonly Game[]>>();
const wholes = new Map<string, Promise<GetGameResponse>>();

/** Return the games of the server, with texts in the page's language; asked for once. */
export function listedGames(): Promise<readonly Game[]> {
  return once(games, language.value, () => client.value.games());
}

/** Return a game with its components and rules, in the page's language; asked for once. */
export function wholeGame(game: string): Promise<GetGameResponse> {
  const request = { game, language: language.value };
  return once(wholes, `${language.value} ${game}`, () =>
    client.value.call(CatalogService.method.getGame, request),
  );
}

/** The games of the server, once they have come. */
export function useGames(): readonly Game[] | undefined {
  return useLoaded(listedGames, [language.value]).value;
}

/** A game with its components and rules, once it has come. */
export function useGame(game: string): Task & { readonly value: GetGameResponse | undefined } {
  return useLoaded(() => wholeGame(game), [game, language.value]);
}

function useLoaded<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): Task & { readonly value: T | undefined } {
  const [value, setValue] = useState<T>();
  const task = useTask(async (signal) => {
    const loaded = await load();
    if (!signal.aborted) setValue(loaded);
  }, inputs);
  return { ...task, value };
}

/** Return what is kept under *key*, else what *load* gives; a failure is not kept. */
function once<T>(kept: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const found = kept.get(key);
  if (found !== undefined) return found;
  const loading = load();
  kept.set(key, loading);
  loading.catch(() => kept.delete(key));
  return loading;
}
