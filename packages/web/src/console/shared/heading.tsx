import type { ReactNode } from "react";
import { texts } from "../texts.ts";

/** The title of a tab, and of an entry in the browser's history. */
export function WindowTitle({ children }: { children: string }): ReactNode {
  return <title>{`${children} · ${texts.title}`}</title>;
}

/** The page's heading for screen readers, and on phones: elsewhere it stands in the bar above. */
export function HiddenHeading({ children }: { children: string }): ReactNode {
  return (
    <>
      <WindowTitle>{children}</WindowTitle>
      <h1 className="hidden page-heading">{children}</h1>
    </>
  );
}
