import type { ShopDays } from "../../mixins/shop/shop-days.ts";
import { findReady } from "@partline/toolkit/pure";
import type { ShopPlan } from "../../mixins/shop/shop-facts.ts";

export interface Stocked {
  /** What checkouts and orders leave of the shop's and the dealer's pieces; null if nobody knows. */
  stock: number | null;
  /** Pieces on the shop's own shelves, held ones among them. */
  own?: number | undefined;
  held?: number | undefined;
  beyondStock: "sell" | "up_to_stock";
  backorderDays?: number | undefined;
}

/** Pieces from one place; null: as many as are wanted. Without a day, nobody knows it. */
export interface Supply {
  from: "shelf" | "dealer" | "backorder";
  pieces: number | null;
  readyOn: string | null;
  readyUntil?: string;
}

/** Lists where the next pieces come from and when they are ready, in the order in which they are sold. */
export function listSupply(
  { stock, own: ownCount = 0, held: heldQuantity = 0, beyondStock, backorderDays }: Stocked,
  plan: ShopPlan,
  days: Pick<ShopDays, "findDay" | "readClock">,
  now: Date,
): Supply[] {
  if (stock === null) return [];
  const shelf = Math.max(0, Math.min(stock, ownCount - heldQuantity));
  const findReadyDay = (wait?: Parameters<typeof findReady>[3]) =>
    findReady(plan, days, now, wait) ?? { readyOn: null };
  const supply: Supply[] = [
    { from: "shelf", pieces: shelf, ...findReadyDay() },
    { from: "dealer", pieces: stock - shelf, ...findReadyDay({ workingDays: plan.dealerDays }) },
  ];
  const sold = supply.filter(({ pieces }) => pieces !== 0);
  if (beyondStock === "up_to_stock") return sold;
  const ready = backorderDays === undefined ? { readyOn: null } : findReadyDay({ calendarDays: backorderDays });
  return [...sold, { from: "backorder", pieces: null, ...ready }];
}
