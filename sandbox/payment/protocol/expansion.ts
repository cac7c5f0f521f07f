import { lineItemsOf } from "../resources/checkout-details.ts";
import { deletedCustomer } from "../resources/customers.ts";
import { refundsOf } from "../resources/refunds.ts";
import type { Account } from "../scope.ts";
import { ApiError } from "./errors.ts";

type Node = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Fields that hold the id of another resource, or null. */
const REFERENCES = new Set([
  "balance_transaction",
  "charge",
  "customer",
  "default_payment_method",
  "failure_balance_transaction",
  "invoice",
  "latest_charge",
  "payment_intent",
  "payment_method",
  "price",
  "product",
  "review",
  "setup_intent",
  "shipping_rate",
  "subscription",
]);

/** Lists that are left out of a resource until they are asked for. */
const LISTS: Record<string, (account: Account, node: Node) => unknown> = {
  "checkout.session.line_items": (account, node) => lineItemsOf(account, String(node["id"])),
  "charge.refunds": (account, node) => refundsOf(account, String(node["id"])),
};

/**
 * Replaces the ids at `paths` by the resources they name, in place. Throws ApiError 400 for a path that cannot be
 * expanded.
 */
export function expandResult(account: Account, result: object, paths: string[]): object {
  for (const path of paths) {
    const segments = path.split(".");
    if (segments.length > MAX_DEPTH) {
      throw cannotExpand(path, `You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`);
    }
    expandAt(account, result as Node, segments, path);
  }
  return result;
}

function expandAt(account: Account, node: Node, [name = "", ...rest]: string[], path: string): void {
  const value = resolve(account, node, name, rest.length === 0, path);
  if (rest.length === 0) return;
  for (const child of Array.isArray(value) ? value : [value]) {
    if (typeof child === "object" && child !== null) expandAt(account, child as Node, rest, path);
  }
}

function resolve(account: Account, node: Node, name: string, last: boolean, path: string): unknown {
  const makeList = LISTS[`${String(node["object"])}.${name}`];
  if (makeList) return (node[name] ??= makeList(account, node));
  const value = node[name];
  if (REFERENCES.has(name) && value !== undefined) {
    if (typeof value === "string")
      node[name] = account.store.findAny(value) ?? deletedCustomer(account, value) ?? value;
    return node[name];
  }
  // A step on the way, such as `data` or `shipping_cost`, is walked through; it cannot be expanded itself.
  if (!last && typeof value === "object") return value;
  throw cannotExpand(path, `This property cannot be expanded (${path}).`);
}

function cannotExpand(path: string, message: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, param: path });
}
