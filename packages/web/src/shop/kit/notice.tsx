import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { CHECK, INFO, WARNING } from "./icons/ui.ts";

const ICONS = { info: INFO, good: CHECK, warn: WARNING, bad: WARNING };

interface NoticeProps {
  kind?: keyof typeof ICONS;
  /** `alert` for what went wrong, `status` for what changed. */
  role?: "alert" | "status";
  children: ReactNode;
}

/** Renders what a shopper must know before they go on. */
export function Notice({ kind = "info", role, children }: NoticeProps): ReactNode {
  return (
    <div className={`notice ${kind}`} role={role}>
      <Icon path={ICONS[kind]} />
      <div>{children}</div>
    </div>
  );
}
