import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { CHEVRON_DOWN } from "./icons/ui.ts";

interface DisclosureProps extends ComponentProps<"details"> {
  summary: ReactNode;
}

/** Renders what a shopper opens when they want it; works without a script. */
export function Disclosure({ summary, className = "", children, ...details }: DisclosureProps): ReactNode {
  return (
    <details {...details} className={`disclosure ${className}`.trim()}>
      <summary>
        {summary}
        <Icon path={CHEVRON_DOWN} size="small" />
      </summary>
      {children}
    </details>
  );
}
