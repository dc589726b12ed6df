import { RuleLink } from "./notes";

const RULE = /\b([A-Z]{2}-\d+(?:\.\d+)*[a-z]?)\b/;

/** A text in which the numbers of rules are links to them. */
export function Ruled({ game, children }: { game: string; children: string }) {
  const parts = children.split(RULE);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? part : <RuleLink key={index} game={game} rule={part} />,
      )}
    </>
  );
}
