import type { CallContext } from "../../broker/contract/context.ts";
import { providerCode } from "../../mixins/payment-provider/errors.ts";
import { call } from "../contracts.ts";

/** Returns the provider's id of a user's customer; null without a user or a customer. */
export async function providerCustomer(ctx: CallContext<unknown>, userId: string | undefined): Promise<string | null> {
  return userId === undefined ? null : (await call(ctx, "customer.providerId", { userId })).providerCustomerId;
}

/** A concurrent submission may send the lost customer again. */
const MOST_TRIES = 3;

/** Does work that may name the user's customer, and repeats it once a customer that the provider lost is recreated. */
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
