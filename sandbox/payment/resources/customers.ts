import type Stripe from "stripe";

import type { Account, Scope } from "../account.ts";
import { noSuchResource } from "../protocol/errors.ts";
import { listing, operation } from "../protocol/operation.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { applyMetadata, email, metadata, object, text, unsettable } from "../protocol/parameters.ts";
import { emit } from "./events.ts";
import { detach } from "./payment-methods.ts";

const customerShape = {
  description: unsettable(text()),
  email: unsettable(email),
  invoice_settings: object({ default_payment_method: unsettable(text()) }),
  metadata,
  name: unsettable(text({ max: 256 })),
  phone: unsettable(text({ max: 20 })),
};

export const customerOperations = [
  operation("POST /v1/customers", customerShape, (scope, given) => createCustomer(scope, given)),
  listing("/v1/customers", "customer", { email: text({ max: 512 }) }),
  operation(
    "GET /v1/customers/:id",
    {},
    (scope, _given, { id }) => deletedCustomer(scope, id) ?? scope.store.get("customer", id),
  ),
  operation("POST /v1/customers/:id", customerShape, (scope, given, { id }) => {
    const before = scope.store.get("customer", id);
    const customer = change(scope, before, given);
    const changed = Object.entries(before).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(customer[name as keyof Stripe.Customer]),
    );
    emit(scope, "customer.updated", customer, Object.fromEntries(changed));
    return customer;
  }),
  operation("DELETE /v1/customers/:id", {}, (scope, _given, { id }) => {
    const customer = scope.store.get("customer", id);
    const methods = scope.store.list("payment_method", { match: { customer: id }, limit: 1_000 }).rows;
    for (const method of methods) detach(scope, method);
    scope.store.remove(id);
    scope.store.setDetails(id, { deleted: true });
    emit(scope, "customer.deleted", customer);
    return tombstone(id);
  }),
];

/** What is left of a deleted customer; undefined for any other id. */
export function deletedCustomer({ store }: Account, id: string): Stripe.DeletedCustomer | undefined {
  const details = id.startsWith("cus_") ? (store.details(id) as { deleted?: true } | undefined) : undefined;
  return details?.deleted && tombstone(id);
}

export function createCustomer(scope: Scope, given: Partial<Parameters<typeof customerShape>>): Stripe.Customer {
  const blank = scope.store.insert("customer", {
    balance: 0,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    preferred_locales: [],
    tax_exempt: "none",
  });
  const customer = change(scope, blank, given);
  emit(scope, "customer.created", customer);
  return customer;
}

function tombstone(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}

function change(
  { store }: Scope,
  customer: Stripe.Customer,
  { invoice_settings: invoice, metadata: changes, ...plain }: Partial<Parameters<typeof customerShape>>,
): Stripe.Customer {
  const method = invoice?.default_payment_method;
  if (method && store.find("payment_method", method)?.customer !== customer.id)
    throw noSuchResource("payment_method", method, "invoice_settings[default_payment_method]");
  const given = Object.entries(plain).filter(([, value]) => value !== undefined);
  return store.update(customer, {
    ...Object.fromEntries(given),
    ...(method === undefined
      ? {}
      : { invoice_settings: { ...customer.invoice_settings, default_payment_method: method } }),
    metadata: applyMetadata(customer.metadata, changes),
  });
}
