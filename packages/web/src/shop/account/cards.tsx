import type { CustomerWithCards } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { usePartline, useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Card } from "../kit/card.tsx";
import { useAction } from "../problem.ts";
import { ProblemNotice } from "../problem-notice.tsx";
import { SECTIONS } from "./sections.ts";

interface CardsProps {
  /** Undefined if the payment provider does not answer now. */
  customer: CustomerWithCards["customer"] | undefined;
}

/** Cards that the payment provider keeps: they are read from there, and removed there. */
export function Cards({ customer }: CardsProps): ReactNode {
  const { texts } = useShop();
  const partline = usePartline();
  const [cards, setCards] = useState(customer?.paymentMethods ?? []);
  const { run, problem, isBusy } = useAction();
  const remove = (pmId: string): Promise<void> =>
    run(async () => {
      if (customer) await partline.customer.removePaymentMethod({ id: customer.customerId, pmId });
      setCards(cards.filter(({ id }) => id !== pmId));
    });
  return (
    <Card heading={texts.cards} id={SECTIONS.cards}>
      {customer === undefined && <p>{texts.problem_SERVICE_UNAVAILABLE}</p>}
      {customer !== undefined && cards.length === 0 && <p>{texts.cardsNone}</p>}
      <ul className="lines">
        {cards.map(({ id, brand, last4, expMonth, expYear }) => {
          const name = fill(texts.cardEnding, { brand: brand.toUpperCase(), last4 });
          return (
            <li key={id} className="kept">
              <span>
                {name} <span className="soft">· {`${expMonth}/${expYear}`}</span>
              </span>
              <Button kind="plain" isBusy={isBusy} onClick={() => void remove(id)}>
                {texts.remove}
                <span className="hidden">: {name}</span>
              </Button>
            </li>
          );
        })}
      </ul>
      <ProblemNotice text={problem} />
    </Card>
  );
}
