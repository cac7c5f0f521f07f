import type { LiveStock } from "@partline/client";

export type Supply = LiveStock["supply"][number];

export interface Pieces extends Omit<Supply, "pieces"> {
  count: number;
}

/** Says where so many pieces come from; fewer than that if the shop sells no more. */
export function splitPieces(supply: readonly Supply[], quantity: number): Pieces[] {
  let left = quantity;
  return supply.flatMap(({ pieces, ...place }) => {
    const count = Math.min(left, pieces ?? left);
    left -= count;
    return count > 0 ? [{ ...place, count }] : [];
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
