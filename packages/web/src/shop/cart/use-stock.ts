import { isPartlineError, type CartItem, type LiveStock } from "@partline/client";
import { useEffect, useState } from "react";
import { useShop } from "../context.tsx";

/** The page is shown already: the suppliers have the time that they need. */
const WAIT_MS = 3_000;

export type Stock = ReadonlyMap<string, LiveStock>;

const toStock = (results: readonly LiveStock[]): Stock => new Map(results.map((part) => [part.id, part]));

/** What there is of a cart's parts: what the page came with, then what the suppliers say. */
export function useStock(items: readonly CartItem[], initial: readonly LiveStock[]): Stock {
  const { partline } = useShop();
  const [stock, setStock] = useState(() => toStock(initial));
  const ids = items.map(({ productId }) => productId).join(" ");
  useEffect(() => {
    if (ids === "") return undefined;
    const leaving = new AbortController();
    partline?.search.stock({ ids: ids.split(" "), waitMs: WAIT_MS }, { signal: leaving.signal }).then(
      ({ results }) => setStock(toStock(results)),
      (error: unknown) => {
        // The lines stay as they are: the checkout asks again.
        if (!isPartlineError(error)) throw error;
      },
    );
    return () => leaving.abort();
  }, [partline, ids]);
  return stock;
}
