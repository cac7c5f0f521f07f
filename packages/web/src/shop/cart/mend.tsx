import { isPartlineError, type CartItem, type OwnCart, type Partline } from "@partline/client";
import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { changeCart } from "../cart-store.ts";
import { useShop } from "../context.tsx";
import { Button } from "../kit/button.tsx";
import { Notice } from "../kit/notice.tsx";
import { money } from "../../shared/numbers.ts";
import { useProblem } from "../problem.ts";
import type { ChangedPrice, Refusals } from "./refusals.ts";

interface MendProps {
  refusals: Refusals;
  /** The items as they were sent. */
  items: CartItem[];
  /** A press of "pay" led here. */
  takesFocus: boolean;
  onMended: () => void;
}

/** What a checkout refused, with a button for each way out. */
export function Mend({ refusals: { priceChanges, gone }, items, takesFocus, onMended }: MendProps): ReactNode {
  const shop = useShop();
  const { texts, language } = shop;
  const describeProblem = useProblem();
  const [problem, setProblem] = useState<string>();
  const price = (value: number): string => money(value, "usd", language);

  const mend = async (change: (partline: Partline) => Promise<OwnCart>): Promise<void> => {
    setProblem(undefined);
    try {
      await changeCart(shop, change);
      onMended();
    } catch (error) {
      if (!isPartlineError(error)) throw error;
      setProblem(describeProblem(error));
    }
  };
  const takePrices = async ({ cart }: Partline): Promise<OwnCart> => {
    // As it is now: another tab may have added something.
    const { items: now } = await cart.current();
    return cart.sync({ items: now.map((item) => repriced(item, priceChanges)), strategy: "replace" });
  };

  return (
    <Notice kind="bad" heading={texts.mendTitle} takesFocus={takesFocus}>
      {priceChanges.length > 0 && (
        <>
          <ul>
            {priceChanges.map(({ partNumber, oldPrice, newPrice }) => (
              <li key={partNumber}>
                {fill(texts.mendPrice, { number: partNumber, old: price(oldPrice), new: price(newPrice) })}
              </li>
            ))}
          </ul>
          <p>
            <Button size="compact" onClick={() => void mend(takePrices)}>
              {texts.mendPrices}
            </Button>
          </p>
        </>
      )}
      {gone.map(({ index, successor }) => {
        const { productId, title } = items[index]!;
        return (
          <div key={productId}>
            <p>{fill(texts.mendGone, { title })}</p>
            <p className="actions">
              {successor && successor.price !== null && (
                <Button size="compact" onClick={() => void mend(({ cart }) => cart.replaceItem({ productId }))}>
                  {fill(texts.mendReplace, { number: successor.partNumber, price: price(successor.price) })}
                </Button>
              )}
              <Button
                size="compact"
                onClick={() => void mend(({ cart }) => cart.setQuantity({ productId, quantity: 0 }))}
              >
                {fill(texts.removePart, { title })}
              </Button>
            </p>
          </div>
        );
      })}
      {problem !== undefined && <p>{problem}</p>}
    </Notice>
  );
}

function repriced(item: CartItem, priceChanges: readonly ChangedPrice[]): CartItem {
  const change = priceChanges.find(
    ({ partNumber, oldPrice }) => partNumber === item.partNumber && oldPrice === item.unitPrice,
  );
  return change ? { ...item, unitPrice: change.newPrice } : item;
}
