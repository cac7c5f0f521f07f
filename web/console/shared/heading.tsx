import type { ReactNode } from "react";

/** The page's heading for screen readers: for the eye it stands in the bar above. */
export function HiddenHeading({ children }: { children: string }): ReactNode {
  return <h1 className="hidden">{children}</h1>;
}
