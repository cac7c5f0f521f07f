import type { Order } from "@partline/client";
import type { ReactNode } from "react";
import { money } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";
import { SummaryList, type SummaryRow } from "../kit/summary-list.tsx";

/** Renders what an order costs, and what came back of it. */
export function OrderAmounts({ order }: { order: Order }): ReactNode {
  const { texts, language } = useShop();
  const { currency, subtotal, discount, shipping, tax, includedTax, total, refundedAmount, disputedAmount } = order;
  const price = (value: number): string => money(value, currency, language);
  const listRow = (name: string, value: number | undefined): SummaryRow[] =>
    value ? [{ name, value: price(value) }] : [];
  return (
    <SummaryList
      rows={[
        { name: texts.subtotal, value: price(subtotal) },
        ...listRow(texts.discount, discount && -discount),
        { name: texts.shipping, value: shipping === 0 ? texts.shippingFree : price(shipping) },
        { name: texts.tax, value: price(tax) },
        ...listRow(texts.includedTax, includedTax && -includedTax),
        { name: texts.total, value: price(total), isTotal: true },
        ...listRow(texts.refunded, refundedAmount),
        ...listRow(texts.disputedMoney, disputedAmount),
      ]}
    />
  );
}
