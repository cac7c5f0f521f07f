import type { CallContext } from "../../broker/contract/context.ts";
import { providerCode } from "../../mixins/payment-provider/errors.ts";
import { call } from "../contracts.ts";

/** The provider's id of a user's customer; null without a user, or for one who is no customer yet. */
export async function providerCustomer(ctx: CallContext<unknown>, userId: string | undefined): Promise<string | null> {
  return userId === undefined ? null : (await call(ctx, "customer.providerId", { userId })).providerCustomerId;
}

/** Whoever submits at the same moment may send the customer once more that is gone. */
const MOST_TRIES = 3;

/**
 * Does what may name the user's customer; again when the provider does not have that any more, and it was made anew.
 */
export async function withLivingCustomer<T>(
  ctx: CallContext<unknown>,
  userId: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (userId === undefined || tries === MOST_TRIES || providerCode(error) !== "resource_missing") throw error;
      await call(ctx, "customer.livingProviderId", { userId });
    }
  }
}
