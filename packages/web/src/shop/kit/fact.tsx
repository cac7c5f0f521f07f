import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { CHECK, WARNING } from "./icons/ui.ts";

interface FactProps {
  /** `good`: it fits the shopper's machine; `warn`: read this before you buy. */
  kind?: "plain" | "good" | "warn";
  children: ReactNode;
}

/** Renders one short fact of a part: what it fits, its size, its pack. */
export function Fact({ kind = "plain", children }: FactProps): ReactNode {
  return (
    <span className={kind === "plain" ? "fact" : `fact ${kind}`}>
      {kind !== "plain" && <Icon path={kind === "good" ? CHECK : WARNING} />}
      {children}
    </span>
  );
}
