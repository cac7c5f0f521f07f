import { ofType, type Operation } from "../history.ts";
import type { Check } from "./check.ts";

/**
 * Nobody gets 404 for a saved cart, an order or a manual that was acknowledged to somebody before. Clients of a run
 * delete nothing.
 */
export const readsOfWhatIsThere: Check = (operations) =>
  [
    ...denied(
      firstTold(ofType(operations, "cart.save"), ({ input }) => input.cartId),
      ofType(operations, "cart.get"),
      ({ input }) => input.cartId,
    ),
    ...denied(
      firstTold(ofType(operations, "order.find"), ({ output }) => output!.orderId),
      ofType(operations, "order.read"),
      ({ input }) => input.orderId,
    ),
    ...denied(
      firstTold(ofType(operations, "manual.upload"), ({ output }) => output!.batchId),
      ofType(operations, "manual.read"),
      ({ input }) => input.batchId,
    ),
  ].map((about) => ({ check: "reads", about, message: "was acknowledged, and then read as not there" }));

/** When each was acknowledged for the first time. */
function firstTold<O extends Operation>(
  operations: readonly O[],
  idOf: (operation: O) => string | null,
): Map<string, number> {
  const announcedAt = new Map<string, number>();
  for (const operation of operations) {
    const id = operation.result === "ok" ? idOf(operation) : null;
    if (id !== null) announcedAt.set(id, Math.min(announcedAt.get(id) ?? Infinity, operation.answeredAt));
  }
  return announcedAt;
}

/** Any attempt counts: what the next one finds does not make the 404 true. */
function denied<O extends Operation>(
  announcedAt: ReadonlyMap<string, number>,
  reads: readonly O[],
  idOf: (operation: O) => string,
): string[] {
  return reads
    .filter((reading) =>
      reading.attempts.some(({ status, at }) => status === 404 && at >= (announcedAt.get(idOf(reading)) ?? Infinity)),
    )
    .map(idOf);
}
