/** The place of price files, and of counts that name none. */
export const MAIN_PLACE = "main";

/** Returns the pickup place that a place of stock is: the main one is the first, unless another has its id. */
export function findPickupPlace(place: string, pickupPlaces: readonly { id: string }[]): string | undefined {
  const ids = pickupPlaces.map(({ id }) => id);
  return ids.includes(place) || place !== MAIN_PLACE ? ids.find((id) => id === place) : ids[0];
}

interface Shelf {
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
