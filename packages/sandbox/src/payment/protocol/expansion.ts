import type { Account } from "../account.ts";
import { getTaxBreakdown } from "../resources/checkout-sessions.ts";
import { findDeletedCustomer } from "../resources/customers.ts";
import { createRefusal } from "./errors.ts";

type Node = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Fields that hold the id of another resource, or null. */
const REFERENCES = new Set(["customer", "latest_charge", "payment_intent", "product", "shipping_rate"]);

/** Replaces the ids at `paths` by what they name, in place. @throws ApiError 400 */
export function expandResult(account: Account, result: object, paths: string[]): object {
  for (const path of paths) {
    const segments = path.split(".");
    if (segments.length > MAX_DEPTH)
      throw createRefusal(`You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`);
    expandAt(account, result as Node, segments, path);
  }
  return result;
}

function expandAt(account: Account, node: Node, [name = "", ...rest]: string[], path: string, within = node): void {
  const resource = "object" in node ? node : within;
  const value = resolve(account, node, resource, name, rest.length === 0);
  if (value === undefined) throw createRefusal(`This property cannot be expanded (${path}).`, { param: path });
  if (rest.length === 0) return;
  for (const child of [value].flat()) {
    if (typeof child === "object" && child !== null) expandAt(account, child as Node, rest, path, resource);
  }
}

/** Returns what stands at `name` of a node of the resource, expanded; undefined if it cannot be expanded. */
function resolve(account: Account, node: Node, resource: Node, name: string, last: boolean): unknown {
  // A session leaves it out until it is asked for.
  if (resource["object"] === "checkout.session" && name === "breakdown")
    return (node[name] ??= getTaxBreakdown(account, String(resource["id"])));
  const value = node[name];
  if (REFERENCES.has(name) && typeof value === "string")
    return (node[name] = account.store.findAny(value) ?? findDeletedCustomer(account, value));
  // A step on the way, such as `data`, cannot be expanded itself.
  return REFERENCES.has(name) || (!last && typeof value === "object") ? value : undefined;
}
