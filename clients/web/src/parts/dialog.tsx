import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { text } from "../texts";

/** A modal dialog. Escape, a click beside it and its own button close it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => event.target === dialog.current && props.onClose()}
    >
      <header class="dialog-head">
        <h2 id={id}>{props.title}</h2>
        <button type="button" class="quiet" aria-label={text("close")} onClick={props.onClose}>
          ✕
        </button>
      </header>
      <div class="dialog-body">{props.children}</div>
    </dialog>
  );
}

/** Ask before something that cannot be taken back. */
export function Question(props: {
  title: string;
  children: ComponentChildren;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}) {
  const answer = (): void => {
    props.onClose();
    props.onYes();
  };
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div class="prose">{props.children}</div>
      <p class="buttons">
        <button type="button" class="danger" onClick={answer}>
          {props.yes}
        </button>
        <button type="button" onClick={props.onClose}>
          {text("cancel")}
        </button>
      </p>
    </Dialog>
  );
}
