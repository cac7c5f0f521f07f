import type { Caller } from "../../broker/contract/context.ts";
import { normalizeEmail } from "@partline/toolkit";
import type { OrderDocument } from "./collections.ts";
import { toContactKey } from "./derived.ts";
import type { Erasure } from "./erasure.ts";
import { type Change, recordFields } from "./order-change.ts";
import type { OrderRepository } from "./repository.ts";

/** Orders that one reading takes over. */
const MOST = 100;

/**
 * Creates what gives a user the orders that the same address placed as a guest. The identity provider must have verified
 * the address: who reads its mails acts as the buyer anyway. See decision 48.
 */
export function createAdoption(
  repository: Pick<OrderRepository, "change" | "orders">,
  erasure: Pick<Erasure, "erase" | "resolveUserId">,
) {
  return async ({ user }: Caller, userId: string): Promise<void> => {
    if (!user?.emailVerified || user.email === undefined || user.sub !== userId) return;
    const keys = new Set([toContactKey(user.email), normalizeEmail(user.email)].filter((key) => key !== undefined));
    const guestOrders = await repository.orders.find(
      { contactKey: { $in: [...keys] }, userId: "guest" },
      { sort: { createdAt: -1 }, limit: MOST },
    );
    if (guestOrders.length === 0 || (await erasure.resolveUserId(userId)) !== userId) return;
    for (const { _id } of guestOrders) await repository.change(_id, (order) => adoptOrder(order, userId));
    // The account may have been deleted meanwhile.
    if ((await erasure.resolveUserId(userId)) !== userId) await erasure.erase(userId);
  };
}

/** Makes a guest's order a user's; undefined if it is somebody's. */
function adoptOrder(order: OrderDocument, userId: string): Change | undefined {
  if (order.userId !== "guest") return undefined;
  return recordFields({ ...order, userId }, `user:${userId}`, "userId");
}
