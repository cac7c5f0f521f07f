import type { ReactNode } from "react";
import { money } from "../../shared/numbers.ts";
import { useShop } from "../context.tsx";
import { SummaryList } from "../kit/summary-list.tsx";
import type { Delivery } from "./delivery.tsx";

/** Returns what the chosen delivery costs; nothing before there is one. */
export function getShippingCost(delivery: Delivery | undefined): number {
  return delivery?.fulfilment === "ship" ? delivery.method.cost : 0;
}

interface CheckoutAmountsProps {
  /** Of the lines. */
  total: number;
  delivery: Delivery | undefined;
  /** The buyer has been on the payment page. */
  isOver?: boolean;
}

/** Renders the sum before tax: the payment page alone knows that. */
export function CheckoutAmounts({ total, delivery, isOver = false }: CheckoutAmountsProps): ReactNode {
  const { texts, language, isTaxed } = useShop();
  const shippingCost = getShippingCost(delivery);
  const price = (value: number): string => money(value, "usd", language);
  const totalText = isTaxed ? texts.totalUntaxed : texts.total;
  const shippingText = shippingCost === 0 ? texts.shippingFree : price(shippingCost);
  return (
    <SummaryList
      rows={[
        { name: texts.subtotal, value: price(total) },
        { name: texts.shipping, value: delivery ? shippingText : <span className="soft">{texts.shippingLater}</span> },
        ...(isTaxed
          ? [{ name: texts.tax, value: <span className="soft">{isOver ? texts.taxAdded : texts.taxLater}</span> }]
          : []),
        { name: delivery ? totalText : texts.totalUnshipped, value: price(total + shippingCost), isTotal: true },
      ]}
    />
  );
}
