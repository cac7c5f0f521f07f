import type { PartPreview } from "@partline/client";
import type { ReactNode } from "react";

interface StockProps {
  value: NonNullable<PartPreview["availability"]>;
  children: ReactNode;
}

/** Renders words about a part's stock, with a dot in the colour of how good they are. */
export function Stock({ value, children }: StockProps): ReactNode {
  return <span className={`availability ${value}`}>{children}</span>;
}
