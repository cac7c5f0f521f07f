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

/** @throws VALIDATION_FAILED naming the first field that cannot be changed so */
export function checkChange(change: Change, current: ShopFacts, pins: Partial<ShopFacts>): void {
  const next = mergePatch(current, change);
  for (const name of Object.keys(pins) as (keyof ShopFacts)[])
    // What was read may be sent back.
    if (!isDeepStrictEqual(next[name], current[name]))
      throw invalidField(name, "is set by the environment of this system, and cannot be changed here");
  if (typeof change.timeZone === "string" && findTimeZone(change.timeZone) === undefined)
    throw invalidField("timeZone", "is not a time zone like America/Chicago");
  const ids = (change.pickupPlaces ?? []).map(({ id }) => id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) throw invalidField(`pickupPlaces[${twice}].id`, "is the id of another place");
  if (Buffer.byteLength(JSON.stringify(next)) > MAX_BYTES)
    throw invalidField("policies", `is too long: all settings together have at most ${MAX_BYTES} bytes as JSON`);
}
