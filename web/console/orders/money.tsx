import type { AdminOrder } from "@partline/client";
import type { ReactNode } from "react";
import { moment, money } from "../format.ts";
import { texts } from "../texts.ts";
import { Facts } from "./facts.tsx";
import { Section } from "./section.tsx";

/** What was paid, and what of it was paid back. */
export function Money({ order }: { order: AdminOrder }): ReactNode {
  const { currency, refunds, disputes } = order;
  const amount = (value: number | undefined) => (value === undefined ? undefined : money(value, currency));
  return (
    <Section title={texts.order.money}>
      <Facts
        facts={[
          ["Subtotal", amount(order.subtotal)],
          ["Shipping", amount(order.shipping)],
          ["Tax", amount(order.tax)],
          ["Discount", amount(order.discount)],
          ["Total", amount(order.total)],
          ["Payment", order.paymentIntentId ?? undefined],
          ...refunds.map(
            (refund) =>
              [
                `Refund ${moment(refund.createdAt)}`,
                `${money(refund.amount, currency)}, ${refund.status}, by ${refund.actor}`,
              ] as const,
          ),
          ...disputes.map(({ disputeId, status }) => [`Dispute ${disputeId}`, status] as const),
        ]}
      />
    </Section>
  );
}
