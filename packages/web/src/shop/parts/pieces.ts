import type { LiveStock } from "@partline/client";

export type Supply = LiveStock["supply"][number];

export interface Pieces extends Omit<Supply, "from" | "pieces" | "places"> {
  /** `elsewhere`: on a shelf that is not at the pickup place. */
  from: Supply["from"] | "elsewhere";
  count: number;
}

/**
 * Says where so many pieces come from; fewer than that if the shop sells no more.
 * @param pickupPlace id of the place where they are picked up
 */
export function splitPieces(supply: readonly Supply[], quantity: number, pickupPlace?: string): Pieces[] {
  let left = quantity;
  return supply.flatMap(({ pieces, places, ...source }) => {
    const count = Math.min(left, pieces ?? left);
    left -= count;
    const here = Math.min(count, places?.find(({ place }) => place === pickupPlace)?.pieces ?? count);
    const parts: Pieces[] = [
      { ...source, count: here },
      // When somebody brings them, nobody knows.
      { from: "elsewhere", readyOn: null, count: count - here },
    ];
    return parts.filter((part) => part.count > 0);
  });
}

/** When pieces are ready. */
export interface ReadyDay {
  readyOn: string;
  readyUntil?: string | undefined;
  /** Of pieces that nobody has yet. */
  isEstimate?: boolean;
}

/**
 * Returns the day on which the last of the pieces is ready, apart from backordered ones of which nobody knows it: those
 * follow by themselves. Undefined if nobody knows it of the others either.
 */
export function findLastReady(
  pieces: readonly Pick<Pieces, "from" | "readyOn" | "readyUntil">[],
): ReadyDay | undefined {
  if (pieces.some(({ from, readyOn }) => readyOn === null && from !== "backorder")) return undefined;
  return pieces
    .flatMap(({ from, readyOn, readyUntil }) =>
      readyOn === null ? [] : [{ readyOn, readyUntil, ...(from === "backorder" && { isEstimate: true }) }],
    )
    .toSorted((first, second) => first.readyOn.localeCompare(second.readyOn))
    .at(-1);
}
