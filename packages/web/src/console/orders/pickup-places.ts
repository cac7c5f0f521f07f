import { listPickupPlaces } from "../../../../../mixins/shop/shop-facts.ts";
import { partline } from "../partline.ts";
import { useReading } from "../shared/use-reading.ts";

/** Loads where orders are picked up: the chosen place of an order, or all places. */
export function usePickupPlaces(chosenId?: string): ReturnType<typeof listPickupPlaces> {
  const { data } = useReading(["shop"], (signal) => partline.settings.shop({}, { signal }));
  return data ? listPickupPlaces(data, chosenId) : [];
}
