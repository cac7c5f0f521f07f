import type { ShopDays } from "../../mixins/shop/shop-days.ts";
import { findReady } from "@partline/toolkit/pure";
import type { ShopFacts, ShopPlan } from "../../mixins/shop/shop-facts.ts";
import { countAtPlace } from "../../mixins/shop/shelves.ts";

export interface Stocked {
  /** What checkouts and orders leave of the shop's and the dealer's pieces; null if nobody knows. */
  stock: number | null;
  /** Pieces on the shop's own shelves, held ones among them. */
  own?: number | undefined;
  held?: number | undefined;
  shelves?: readonly { place: string; onHand: number }[] | undefined;
  /** More of them may lie there than are known. */
  uncounted?: boolean;
  beyondStock: "sell" | "up_to_stock";
  backorderDays?: number | undefined;
}

/** Pieces from one place; null: as many as are wanted. Without a day, nobody knows it. */
export interface Supply {
  from: "shelf" | "dealer" | "uncounted" | "backorder";
  pieces: number | null;
  /** How many of them lie at each pickup place, if the shop has several. */
  places?: { place: string; pieces: number }[];
  readyOn: string | null;
  readyUntil?: string;
}

/** Lists where the next pieces come from and when they are ready, in the order in which they are sold. */
export function listSupply(
  { stock, own: ownCount = 0, held: heldQuantity = 0, shelves = [], ...part }: Stocked,
  shop: Pick<ShopFacts, keyof ShopPlan | "pickupPlaces">,
  days: Pick<ShopDays, "findDay" | "readClock">,
  now: Date,
): Supply[] {
  if (stock === null) return [];
  const shelf = Math.max(0, Math.min(stock, ownCount - heldQuantity));
  const findReadyDay = (wait?: Parameters<typeof findReady>[3]) =>
    findReady(shop, days, now, wait) ?? { readyOn: null };
  const supply: Supply[] = [
    { from: "shelf", pieces: shelf, ...locate(shelves, shelf, heldQuantity, shop.pickupPlaces), ...findReadyDay() },
    { from: "dealer", pieces: stock - shelf, ...findReadyDay({ workingDays: shop.dealerDays }) },
  ];
  const sold = supply.filter(({ pieces }) => pieces !== 0);
  if (part.uncounted) return [...sold, { from: "uncounted", pieces: null, readyOn: null }];
  const { beyondStock, backorderDays } = part;
  if (beyondStock === "up_to_stock") return sold;
  const ready = backorderDays === undefined ? { readyOn: null } : findReadyDay({ calendarDays: backorderDays });
  return [...sold, { from: "backorder", pieces: null, ...ready }];
}

/** Says how many of the pieces surely lie at each pickup place. */
function locate(
  shelves: NonNullable<Stocked["shelves"]>,
  pieces: number,
  heldQuantity: number,
  pickupPlaces: ShopFacts["pickupPlaces"],
): Pick<Supply, "places"> {
  if (pickupPlaces.length < 2) return {};
  const count = (place: string): number => Math.min(pieces, countAtPlace(shelves, heldQuantity, place, pickupPlaces));
  return { places: pickupPlaces.map(({ id }) => ({ place: id, pieces: count(id) })) };
}
