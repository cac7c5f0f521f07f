import { isDeepStrictEqual } from "node:util";
import { invalidField } from "../../mixins/errors.ts";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { mergePatch, type ShopFacts } from "../../mixins/shop/shop-facts.ts";

/** Below what a body may have, so that what was read can be sent back. */
const MAX_BYTES = 300_000;

interface Change {
  timeZone?: string | null;
  pickupPlaces?: readonly { id: string }[] | null;
}

/** Returns the fields that change something: what was read may be sent back. */
export function pickChanges<C extends object>(change: C, current: ShopFacts): Partial<C> {
  const next = mergePatch(current, change);
  return Object.fromEntries(
    Object.entries(change).filter(([name]) => {
      const field = name as keyof ShopFacts;
      return !isDeepStrictEqual(next[field], current[field]);
    }),
  ) as Partial<C>;
}

/** @throws VALIDATION_FAILED naming the first field that cannot be changed so */
export function checkChange(change: Change, current: ShopFacts, pins: Partial<ShopFacts>): void {
  const pinned = Object.keys(change).find((name) => name in pins);
  if (pinned !== undefined)
    throw invalidField(pinned, "is set by the environment of this system, and cannot be changed here");
  if (typeof change.timeZone === "string" && findTimeZone(change.timeZone) === undefined)
    throw invalidField("timeZone", "is not a time zone like America/Chicago");
  const ids = (change.pickupPlaces ?? []).map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) throw invalidField(`pickupPlaces[${twice}].id`, "is the id of another place");
  if (Buffer.byteLength(JSON.stringify(mergePatch(current, change))) > MAX_BYTES)
    throw invalidField("policies", `is too long: all settings together have at most ${MAX_BYTES} bytes as JSON`);
}
