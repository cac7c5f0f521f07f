import type { DeliveryPromise, PartPreview, LiveStock } from "@partline/client";
import { useEffect, useState, type ReactNode } from "react";
import { findArrival } from "@partline/toolkit/pure";
import { HARMLESS_REASONS } from "../../../../../services/shared/dis-errors.ts";
import { fill } from "../../shared/language.ts";
import { readDelivery, resolvePickupPlace, type KeptDelivery } from "../cart/kept-delivery.ts";
import { useShop, type Shop } from "../context.tsx";
import { Stock } from "../kit/stock.tsx";
import { formatShortDate, formatTime } from "../format.ts";
import { Availability } from "./availability.tsx";
import { findLastReady, type ReadyDay, splitPieces } from "./pieces.ts";

/** How pieces reach the shopper, and in how many days, as far as that is chosen. */
export type Transit = Pick<KeptDelivery, "isPickup" | "pickupPlace"> & { carrierDays?: number | undefined };

/** Returns the transit chosen in this tab; none on the server, which does not know it. */
export function useTransit(): Transit | undefined {
  const { user, facts } = useShop();
  const [transit, setTransit] = useState<Transit>();
  const userId = user?.id;
  useEffect(() => {
    const delivery = readDelivery(userId);
    if (!delivery) return;
    const { isPickup, method } = delivery;
    const pickupPlace = isPickup ? resolvePickupPlace(delivery, facts.pickupPlaces) : undefined;
    setTransit({ isPickup, pickupPlace, carrierDays: method?.estimatedDays });
  }, [userId, facts.pickupPlaces]);
  return transit;
}

/** Returns the day on which pieces arrive, can be picked up, or leave; undefined if nobody knows. */
export function toPromise(ready: ReadyDay | undefined, transit: Transit | undefined): DeliveryPromise | undefined {
  if (!ready) return undefined;
  const { readyOn, isEstimate } = ready;
  const estimate = isEstimate && { estimated: true };
  if (transit?.isPickup) return { kind: "ready", day: readyOn, ...estimate };
  if (transit?.carrierDays === undefined) return { kind: "ships", day: readyOn, ...estimate };
  return { kind: "arrives", day: findArrival(readyOn, transit.carrierDays), ...estimate };
}

type Worded = Pick<Shop, "texts" | "language">;

const PROMISES = { arrives: "arrivesOn", ships: "shipsOn", ready: "pickupOn" } as const;

export function describePromise({ kind, day, estimated }: DeliveryPromise, { texts, language }: Worded): string {
  const text = fill(texts[PROMISES[kind]], { date: formatShortDate(day, language) });
  return estimated ? fill(texts.estimatedDay, { day: text }) : text;
}

/** Says when pieces arrive, can be picked up, or leave; undefined if nobody knows. */
export function describeDay(
  ready: ReadyDay | undefined,
  transit: Transit | undefined,
  shop: Worded,
): string | undefined {
  const { texts, language } = shop;
  const promise = toPromise(ready, transit);
  const { readyUntil } = ready ?? {};
  if (!promise || readyUntil === undefined || promise.estimated || promise.kind === "arrives")
    return promise && describePromise(promise, shop);
  return promise.kind === "ships"
    ? texts.shipsToday
    : fill(texts.pickupToday, { time: formatTime(readyUntil, language) });
}

const LOOKS = {
  shelf: "in_stock",
  elsewhere: "in_stock",
  dealer: "in_stock",
  uncounted: "unknown",
  backorder: "low_stock",
} as const;

interface SupplyTextProps {
  /** What the shop says now; without it the list's own word is shown. */
  stock: LiveStock | undefined;
  availability: PartPreview["availability"] | null;
  quantity?: number;
  transit: Transit | undefined;
  /** Says how many there are, wherever they are. */
  isCounted?: boolean;
}

/** Where the pieces are, and when they arrive. */
export function SupplyText({
  stock,
  availability,
  quantity = 1,
  transit,
  isCounted = false,
}: SupplyTextProps): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const pieces = splitPieces(stock?.supply ?? [], quantity, transit?.pickupPlace);
  const [first] = pieces;
  if (!first) {
    if (stock && isUncounted(stock)) return <Stock value="unknown">{texts.supply_uncounted}</Stock>;
    const value = stock?.availability ?? availability;
    return value !== null && <Availability value={value} />;
  }
  const isKnown = pieces.every(({ readyOn }) => readyOn !== null);
  const day = isKnown ? describeDay(findLastReady(pieces), transit, shop) : undefined;
  const isLow = stock?.availability === "low_stock" && (first.from === "shelf" || first.from === "dealer");
  const countedPieces = pieces.length === 1 && isLow ? [{ ...first, count: stock.stock ?? quantity }] : pieces;
  const wholeStock = (stock?.supply ?? []).flatMap(({ from, pieces: count }) => (count ? [{ from, count }] : []));
  const listPieces = (list: readonly { from: keyof typeof LOOKS; count: number }[]): string =>
    list.map(({ from, count }) => fill(texts[`supplyPieces_${from}`], { count })).join(", ");
  const words =
    isCounted && wholeStock.length > 0
      ? listPieces(wholeStock)
      : pieces.length === 1 && !isLow
        ? texts[`supply_${first.from}`]
        : listPieces(countedPieces);
  return (
    <span className="supply">
      <Stock value={LOOKS[(pieces.at(-1) ?? first).from]}>{words}</Stock>
      {day !== undefined && <span className="soft">{day}</span>}
    </span>
  );
}

/** Says of a list that not all of its stock is of now. */
export function StockNote({ stock }: { stock: readonly (LiveStock | undefined)[] }): ReactNode {
  const { texts } = useShop();
  return stock.some((part) => !part || isUnconfirmed(part)) && <p className="soft">{texts.supplyStored}</p>;
}

/** Returns whether a part is sold whose pieces nobody counted, and no dealer can be asked for it. */
function isUncounted({ status, availability, price, reason }: LiveStock): boolean {
  const isSold = status === "active" && price !== null;
  return isSold && availability === "unknown" && reason !== null && HARMLESS_REASONS.includes(reason);
}

/** Returns whether a dealer that was asked did not answer. */
export function isUnconfirmed({ live, reason }: LiveStock): boolean {
  return !live && reason !== null && !HARMLESS_REASONS.includes(reason);
}
