import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Waiting } from "../parts/notes";
import { text } from "../texts";

/** A component that is loaded when it is first shown. */
export function Lazy<P extends object>(props: {
  load: () => Promise<ComponentType<P>>;
  props: P;
}) {
  const { load } = props;
  const [loaded, setLoaded] = useState<{ Component: ComponentType<P> } | "failed">();
  useEffect(() => {
    load().then(
      (Component) => setLoaded({ Component }),
      () => setLoaded("failed"),
    );
  }, [load]);
  if (loaded === undefined) return <Waiting />;
  if (loaded === "failed") {
    return (
      <p class="note bad" role="alert">
        {text("page-is-old")}
      </p>
    );
  }
  return <loaded.Component {...props.props} />;
}
