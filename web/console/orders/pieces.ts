import type { AdminOrder } from "@partline/client";

/** How many pieces of each product a request may name, and names. */

type Line = AdminOrder["items"][number];

export interface Choice {
  productId: string;
  partNumber: string;
  name: string;
  left: number;
}

export const toShip = ({ quantities }: Line): number => quantities.open + quantities.backordered;
export const wereShipped = ({ quantities }: Line): number => quantities.shipped;
export const notGone = ({ quantities }: Line): number => quantities.open + quantities.backordered + quantities.shipped;

/** Lines of one product are one choice: requests name products. */
export function choicesOf({ items }: Pick<AdminOrder, "items">, available: (line: Line) => number): Choice[] {
  const choices = new Map<string, Choice>();
  for (const line of items) {
    const { productId, partNumber, name } = line;
    const left = (choices.get(productId)?.left ?? 0) + available(line);
    if (left > 0) choices.set(productId, { productId, partNumber, name, left });
  }
  return [...choices.values()];
}

export type Chosen = Readonly<Record<string, number>>;

export function allOf(choices: readonly Choice[]): Chosen {
  return Object.fromEntries(choices.map(({ productId, left }) => [productId, left]));
}

export function chosenLines(chosen: Chosen): { productId: string; quantity: number }[] {
  return Object.entries(chosen)
    .filter(([, quantity]) => quantity > 0)
    .map(([productId, quantity]) => ({ productId, quantity }));
}

export function isAll(choices: readonly Choice[], chosen: Chosen): boolean {
  return choices.every(({ productId, left }) => chosen[productId] === left);
}
