import type { ReactNode } from "react";
import { money } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";

interface PriceProps {
  /** In the currency's unit; null: the shop says it on request. */
  value: number | null;
  currency: string;
  size?: "normal" | "big";
}

/** Renders a price, or that the shop says it on request. */
export function Price({ value, currency, size = "normal" }: PriceProps): ReactNode {
  const { texts, language } = useShop();
  if (value === null) return <p className="price none">{texts.noPrice}</p>;
  return <p className={size === "big" ? "price big" : "price"}>{money(value, currency, language)}</p>;
}
