import type Stripe from "stripe";

import { noSuchReference, noSuchResource } from "../protocol/errors.ts";
import type { Account } from "../scope.ts";

export function findCustomer(account: Account, id: string): Stripe.Customer {
  const customer = account.store.find("customer", id);
  if (!customer) throw noSuchResource("customer", id);
  return customer;
}

/** The customer that a parameter names; throws 400 when there is none. */
export function customerReference(account: Account, id: string): Stripe.Customer {
  const customer = account.store.find("customer", id);
  if (!customer) throw noSuchReference("customer", id, "customer");
  return customer;
}
