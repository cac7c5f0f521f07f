import { isPartlineError, type LiveStock } from "@partline/client";
import { useEffect, useState } from "react";
import { findCheckout } from "../cart/checkout-id.ts";
import { useShop } from "../context.tsx";

/** The page is shown already: the suppliers have the time that they need. */
const WAIT_MS = 3_000;

export type Stock = ReadonlyMap<string, LiveStock>;

const toStock = (results: readonly LiveStock[]): Stock => new Map(results.map((part) => [part.id, part]));

/** What there is of parts: what the page came with, then what the suppliers say. `isAsked` until they have answered. */
export function useLiveStock(
  partIds: readonly string[],
  initial: readonly LiveStock[] = [],
): { stock: Stock; isAsked: boolean } {
  const { partline, user } = useShop();
  const [stock, setStock] = useState(() => toStock(initial));
  const [isAsked, setIsAsked] = useState(true);
  const ids = partIds.join(" ");
  useEffect(() => {
    if (ids === "") return undefined;
    const leaving = new AbortController();
    // What a payment page that is still open holds for this browser is no other buyer's.
    const cartId = findCheckout(user?.id)?.id;
    const question = { ids: ids.split(" "), waitMs: WAIT_MS, ...(cartId !== undefined && { cartId }) };
    partline?.search.stock(question, { signal: leaving.signal }).then(
      ({ results }) => {
        setStock(toStock(results));
        setIsAsked(false);
      },
      (error: unknown) => {
        // What is known stays: the checkout asks again.
        if (!isPartlineError(error)) throw error;
        if (!leaving.signal.aborted) setIsAsked(false);
      },
    );
    return () => leaving.abort();
  }, [partline, ids, user?.id]);
  return { stock, isAsked };
}
