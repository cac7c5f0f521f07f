import { isDeepStrictEqual } from "node:util";
import { invalidField, validationFailed } from "../../mixins/errors.ts";
import { findFlaws } from "../../mixins/shipping-rates/table.ts";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { mergePatch } from "@partline/toolkit/pure";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import type { Params } from "@partline/api-contracts";
import type { Actions } from "../contracts.ts";

/** Below what a body may have, so that what was read can be sent back. */
const MAX_BYTES = 300_000;

export type SettingsChange = Omit<Params<Actions["settings.change"]>, "version">;

/** Returns the fields that change something: what was read may be sent back. */
export function pickChanges<C extends object>(request: C, current: ShopFacts): Partial<C> {
  // An amount that was not sent is a member that is undefined.
  const change = JSON.parse(JSON.stringify(request)) as C;
  const next = mergePatch(current, change);
  return Object.fromEntries(
    Object.entries(change).filter(([name]) => {
      const field = name as keyof ShopFacts;
      return !isDeepStrictEqual(next[field], current[field]);
    }),
  ) as Partial<C>;
}

/** @throws VALIDATION_FAILED naming the first field that cannot be changed so */
export function checkChange(
  change: Partial<SettingsChange>,
  current: ShopFacts,
  { pins, shipTo }: { pins: object; shipTo: readonly string[] },
): void {
  const pinned = Object.keys(change).find((name) => name in pins);
  if (pinned !== undefined)
    throw invalidField(pinned, "is set by the environment of this system, and cannot be changed here");
  if (typeof change.timeZone === "string" && findTimeZone(change.timeZone) === undefined)
    throw invalidField("timeZone", "is not a time zone like America/Chicago");
  const turned = (change.workHours ?? []).findIndex((line) => line.slice(-11, -6) >= line.slice(-5));
  if (turned >= 0) throw invalidField(`workHours[${turned}]`, "must end after it begins, on the same day");
  refuseTwice(change.pickupPlaces, "id", "pickupPlaces", "place");
  refuseTwice(change.stockPolicy?.vendors, "vendor", "stockPolicy.vendors", "row");
  const flaws = change.shippingTable ? findFlaws(change.shippingTable, shipTo) : [];
  const [problem, ...problems] = flaws.map(({ field, why, code }) => ({
    code,
    field: `shippingTable.${field}`,
    message: `The 'shippingTable.${field}' field ${why}.`,
  }));
  if (problem) throw validationFailed([problem, ...problems]);
  if (Buffer.byteLength(JSON.stringify(mergePatch(current, change))) > MAX_BYTES)
    throw invalidField("policies", `is too long: all settings together have at most ${MAX_BYTES} bytes as JSON`);
}

function refuseTwice<K extends string>(
  rows: readonly Record<K, string>[] | null | undefined,
  key: K,
  field: string,
  what: string,
): void {
  const keys = (rows ?? []).map((row) => row[key]);
  const twice = keys.findIndex((value, index) => keys.indexOf(value) !== index);
  if (twice >= 0) throw invalidField(`${field}[${twice}].${key}`, `is the ${key} of another ${what}`);
}
