import type { GameComponent } from "taflhall/gen/v1/catalog_service";

import { RuleLink, Section } from "../parts/notes";
import { text } from "../texts";

/** All that is in the box of a game, by kind, in words and with what is printed on it. */
export function Components(props: { game: string; components: readonly GameComponent[] }) {
  const { game, components } = props;
  const kinds = Map.groupBy(components, ({ kind }) => kind);
  return (
    <Section title={text("game-components")}>
      {[...kinds].map(([kind, ofKind]) => (
        <details key={kind} class="component-kind">
          <summary>
            {kind.replaceAll("_", " ")} <span class="soft">{ofKind.length}</span>
          </summary>
          <ul class="components">
            {ofKind.map((component) => (
              <li key={component.id}>
                <strong>{component.name || component.id}</strong>{" "}
                {component.rules[0] && <RuleLink game={game} rule={component.rules[0]} />}
                {component.text && <p>{component.text}</p>}
                <dl>
                  {Object.entries(component.properties).map(([name, value]) => (
                    <div key={name}>
                      <dt>{name.replaceAll("_", " ")}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
                <small class="soft">{text(`provenance-${component.provenance}`)}</small>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}
