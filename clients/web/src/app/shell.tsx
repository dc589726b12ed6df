import { useEffect, useRef } from "preact/hooks";

import { connectionState, forgetLosses } from "../connection";
import { Menu } from "./menu";
import { text, textsAreReady } from "../texts";
import type { Route } from "./router";
import { hrefOf, route } from "./router";
import { Screen } from "./screen";

/** The page: what stands around every screen, and the screen. */
export function Shell() {
  if (!textsAreReady.value) return <p class="loading" role="status" aria-busy="true" />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {text("skip")}
      </a>
      <header class="head">
        <a class="brand" href={hrefOf({ screen: "lobby" })}>
          <img src="./favicon.svg" alt="" width="28" height="28" />
          Taflhall
        </a>
        <nav aria-label={text("nav")}>
          <NavLink to={{ screen: "lobby" }} id="nav-lobby" also={["join"]} />
          <NavLink to={{ screen: "games" }} id="nav-games" also={["game", "rules"]} />
          <NavLink to={{ screen: "tournaments" }} id="nav-tournaments" also={["tournament"]} />
          <NavLink to={{ screen: "record" }} id="nav-record" />
        </nav>
        <Connection />
        <Menu />
      </header>
      <Main />
    </>
  );
}

function Main() {
  const main = useRef<HTMLElement>(null);
  const { screen } = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
    return forgetLosses;
  }, [screen]);
  return (
    <main id="main" ref={main} tabIndex={-1} class={`screen-${screen}`}>
      <Screen />
    </main>
  );
}

function NavLink({ to, id, also = [] }: { to: Route; id: string; also?: Route["screen"][] }) {
  const { screen } = route.value;
  const isHere = screen === to.screen || also.includes(screen);
  return (
    <a href={hrefOf(to)} aria-current={isHere ? "page" : undefined}>
      {text(id)}
    </a>
  );
}

/** Says when the page does not hear from the server: what it shows is not as it is now. */
function Connection() {
  const state = connectionState.value;
  return (
    <p class="connection" role="status" data-state={state}>
      {state === "lost" ? text("connection-lost") : ""}
    </p>
  );
}

/** Go to the screen's content; the fragment is the router's. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
