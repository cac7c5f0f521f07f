import type { AdminOrder } from "@partline/client";
import type { ReactNode } from "react";
import { Actor } from "../shared/actor.tsx";
import { moment, money } from "../shared/format.ts";
import { texts } from "../texts.ts";
import { Facts } from "../shared/facts.tsx";
import { Section } from "../shared/section.tsx";
import { namePaidBy } from "./reasons.ts";

const t = texts.money;

/** Shows what was paid, and how much of it was paid back. */
export function Money({ order }: { order: AdminOrder }): ReactNode {
  const { currency, refunds, disputes } = order;
  const amount = (value: number | undefined) => (value === undefined ? undefined : money(value, currency));
  return (
    <Section title={texts.order.money}>
      <Facts
        isAmounts
        facts={[
          [t.subtotal, amount(order.subtotal)],
          [t.shipping, amount(order.shipping)],
          [t.tax, amount(order.tax)],
          [t.includedTax, amount(order.includedTax && -order.includedTax)],
          [t.discount, amount(order.discount)],
          [t.total, <strong key="total">{amount(order.total)}</strong>],
        ]}
      />
      <Facts
        facts={[
          [t.payment, order.paymentIntentId ?? undefined],
          ...refunds.map(
            (refund) =>
              [
                t.refund(moment(refund.createdAt)),
                <>
                  {[
                    money(refund.amount, currency),
                    texts.refunds[refund.status] ?? refund.status,
                    namePaidBy(refund.paidBy),
                    `${t.refundBy} `,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                  <Actor name={refund.actor} />
                </>,
              ] as const,
          ),
          ...disputes.map(
            ({ disputeId, status, amount: disputed }) =>
              [
                t.dispute(disputeId),
                [amount(disputed), t.disputeStates[status] ?? status].filter(Boolean).join(", "),
              ] as const,
          ),
        ]}
      />
    </Section>
  );
}
