/** Code of the vendor of parts that are the shop's own: nobody orders them from it. */
export const OWN_VENDOR = "OWN";
/** The place of price files, and of counts that name none. */
export const MAIN_PLACE = "main";

/** Returns the pickup place that a place of stock is: the main one is the first, unless another has its id. */
export function findPickupPlace(place: string, pickupPlaces: readonly { id: string }[]): string | undefined {
  const ownPlace = pickupPlaces.find(({ id }) => id === place);
  return (ownPlace ?? (place === MAIN_PLACE ? pickupPlaces[0] : undefined))?.id;
}

/** Counts the pieces that surely lie at a pickup place: each place may have the held ones. */
export function countAtPlace(
  shelves: readonly { place: string; onHand: number }[],
  heldQuantity: number,
  pickupPlace: string,
  pickupPlaces: readonly { id: string }[],
): number {
  const here = shelves.filter(({ place }) => findPickupPlace(place, pickupPlaces) === pickupPlace);
  return Math.max(0, here.reduce((sum, { onHand }) => sum + onHand, 0) - heldQuantity);
}

/** Pieces that somebody may count at a place. */
export const MOST_ON_HAND = 1_000_000;
/** Characters. */
export const LONGEST_BIN = 60;
export const LONGEST_REASON = 200;

export interface Shelf {
  place: string;
  bin?: string | null | undefined;
  onHand: number;
}

/** Says where the pieces of a part lie: by bin, with the place unless it is the main one; how many, if on several. */
export function describeShelves(shelves: readonly Shelf[]): string {
  const stocked = shelves.filter(({ onHand }) => onHand > 0);
  return stocked
    .map(({ place, bin, onHand }) =>
      [place === MAIN_PLACE && bin ? undefined : place, bin, stocked.length > 1 ? `(${onHand})` : undefined]
        .filter(Boolean)
        .join(" "),
    )
    .join(", ");
}
