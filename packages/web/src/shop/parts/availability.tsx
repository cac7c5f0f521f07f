import type { PartPreview } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "../context.tsx";

export function Availability({ value }: { value: PartPreview["availability"] }): ReactNode {
  const { texts } = useShop();
  return <span className={`availability ${value}`}>{texts[value]}</span>;
}
