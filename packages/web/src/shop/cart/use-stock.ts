import { isPartlineError, type CartItem, type PartAvailability } from "@partline/client";
import { useEffect, useState } from "react";
import { useShop } from "../context.tsx";

/** The most that one request may ask for. */
const ASKED_AT_ONCE = 10;

export type Stock = ReadonlyMap<string, PartAvailability>;

/** What the suppliers have of a cart's parts now, or the catalog if they are late; empty until then. */
export function useStock(items: readonly CartItem[]): Stock {
  const { partline } = useShop();
  const [stock, setStock] = useState<Stock>(new Map());
  const ids = items.map(({ productId }) => productId).join(" ");
  useEffect(() => {
    const leaving = new AbortController();
    const allIds = ids === "" ? [] : ids.split(" ");
    const batches = Array.from({ length: Math.ceil(allIds.length / ASKED_AT_ONCE) }, (_, index) =>
      allIds.slice(index * ASKED_AT_ONCE, (index + 1) * ASKED_AT_ONCE),
    );
    for (const partNumbers of batches)
      partline?.search.aiAvailability({ partNumbers }, { signal: leaving.signal }).then(
        ({ results }) =>
          setStock((previous) => {
            const entries = results.flatMap((answer) => (answer.id === null ? [] : [[answer.id, answer] as const]));
            return new Map([...previous, ...entries]);
          }),
        (error: unknown) => {
          // The lines stay as they are: the checkout asks again.
          if (!isPartlineError(error)) throw error;
        },
      );
    return () => leaving.abort();
  }, [partline, ids]);
  return stock;
}
