import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { CHECK, INFO, WARNING } from "./icons/ui.ts";

interface NoticeProps {
  /** `bad`: something went wrong, and is announced; `warn`: read this first; `good`: it is done. */
  kind?: "info" | "good" | "warn" | "bad";
  heading?: ReactNode;
  /** Takes the focus as it appears: what was pressed led here. */
  takesFocus?: boolean;
  /** What can be done about it, and why it is there. */
  children?: ReactNode;
}

const ICONS = { info: INFO, good: CHECK, warn: WARNING, bad: WARNING };

/** Renders a note in the page, with its ways out. */
export function Notice({ kind = "info", heading, takesFocus = false, children }: NoticeProps): ReactNode {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) note.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={note} className={`notice ${kind}`} tabIndex={-1} {...(kind === "bad" && { role: "alert" })}>
      <Icon path={ICONS[kind]} size="small" />
      <div>
        {heading !== undefined && <h2>{heading}</h2>}
        {children}
      </div>
    </div>
  );
}
