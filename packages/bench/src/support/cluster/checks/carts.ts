import { ofType, type Operation } from "../history.ts";
import { groupBy, type Check, type Violation } from "./check.ts";

/**
 * Checks that no add that was acknowledged is lost, none is there twice, and who reads sees what was acknowledged
 * before.
 */
export const ownCarts: Check = (operations, { ownCarts: final }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "carts", about, message });
  const operationsBySession = groupBy(ofType(operations, "cart.add", "cart.read"), ({ input }) => input.sessionId);
  for (const [sessionId, ofSession] of operationsBySession) {
    const adds = ofType(ofSession, "cart.add");
    for (const { result, invokedAt, answeredAt, output } of ofSession) {
      if (result !== "ok") continue;
      const [least, most] = quantitiesBetween(adds, invokedAt, answeredAt);
      if (output!.quantity < least || output!.quantity > most)
        tell(sessionId, `was answered ${output!.quantity} at ${answeredAt}, where it is ${least} to ${most}`);
    }
    const [least, most] = quantitiesBetween(adds, Infinity, Infinity);
    const now = final[sessionId] ?? 0;
    if (now < least || now > most) tell(sessionId, `has ${now}, where it is ${least} to ${most}`);
  }
  return violations;
};

/**
 * What a cart may hold: all that was acknowledged before `from`, and at most all that was sent before `to` and not
 * refused.
 */
function quantitiesBetween(
  adds: readonly Operation<"cart.add">[],
  from: number,
  to: number,
): [least: number, most: number] {
  let least = 0;
  let most = 0;
  for (const { input, result, invokedAt, answeredAt } of adds) {
    if (result === "ok" && answeredAt <= from) least += input.quantity;
    if (result !== "refused" && invokedAt <= to) most += input.quantity;
  }
  return [least, most];
}

/** A cart that was saved is there as it was saved, until its payment empties it. */
export const savedCarts: Check = (operations, { savedCarts: final, orders }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "saved carts", about, message });
  const ordered = new Set(orders.map(({ cartId }) => cartId));
  const saved = new Map(ofType(operations, "cart.save").map((save) => [save.input.cartId, save]));
  for (const [cartId, { input, result }] of saved) {
    const now = final[cartId];
    if (result !== "ok") continue;
    if (now === undefined || now === null) tell(cartId, "was acknowledged, and is not there");
    else if (ordered.has(cartId) && now !== 0) tell(cartId, `is ordered, and still holds ${now}`);
    else if (!ordered.has(cartId) && now !== input.quantity)
      tell(cartId, `was saved with ${input.quantity}, and holds ${now}`);
  }
  for (const {
    input: { cartId },
    result,
    output,
  } of ofType(operations, "cart.get")) {
    const save = saved.get(cartId);
    if (
      result === "ok" &&
      save &&
      output!.quantity !== save.input.quantity &&
      !(output!.quantity === 0 && ordered.has(cartId))
    ) {
      tell(cartId, `was saved with ${save.input.quantity}, and read as ${output!.quantity}`);
    }
  }
  return violations;
};
