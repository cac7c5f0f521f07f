import type { OrderDocument } from "./collections.ts";
import { DERIVED } from "./derived.ts";
import type { OrderRepository } from "./repository.ts";

/** Orders that a run reads at once. */
const BATCH = 200;

/** Derives the fields that lists filter by for orders that an older version wrote. Harmless to repeat. */
export function createDeriving({ orders, change }: Pick<OrderRepository, "orders" | "change">) {
  const older = { $or: [{ derived: null }, { derived: { $lt: DERIVED } }] };
  const rewritten = (order: OrderDocument) => ((order.derived ?? 0) < DERIVED ? { order, actor: "system" } : undefined);
  return {
    isNeeded: async (): Promise<boolean> => (await orders.findOne(older)) !== null,
    async run(): Promise<void> {
      for (;;) {
        const found = await orders.find(older, { limit: BATCH });
        if (found.length === 0) return;
        for (const { _id } of found) await change(_id, rewritten);
      }
    },
  };
}
