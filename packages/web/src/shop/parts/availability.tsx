import type { PartPreview } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { Stock } from "../kit/stock.tsx";

export function Availability({ value }: { value: PartPreview["availability"] }): ReactNode {
  const { texts } = useShop();
  return <Stock value={value}>{texts[value]}</Stock>;
}
