import type Stripe from "stripe";

import {
  address,
  applyMetadata,
  email,
  fullAddress,
  metadata,
  nullableText,
  shipping,
} from "../protocol/common-parameters.ts";
import { noSuchReference } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import type { Parameters } from "../protocol/parameters.ts";
import { object, text, unsettable } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId, randomText } from "../state/ids.ts";
import { emit } from "./events.ts";
import { findCustomer } from "./find-customer.ts";
import { attach, detach, paymentMethodReference } from "./payment-methods.ts";

const customerShape = {
  address: unsettable(address),
  description: nullableText,
  email: unsettable(email),
  invoice_settings: object({ default_payment_method: nullableText }),
  metadata,
  name: unsettable(text({ max: 256 })),
  phone: unsettable(text({ max: 20 })),
  shipping: unsettable(shipping),
};

export const customerOperations = [
  operation("POST /v1/customers", { ...customerShape, payment_method: text() }, (scope, parameters) => {
    const customer = scope.store.insert(change(blankCustomer(scope), parameters));
    if (parameters.payment_method) attach(scope, paymentMethodReference(scope, parameters.payment_method), customer.id);
    const defaultMethod = parameters.invoice_settings?.default_payment_method;
    if (defaultMethod) assertOwnMethod(scope, customer.id, defaultMethod);
    emit(scope, "customer.created", customer);
    return customer;
  }),
  listOperation("GET /v1/customers", { email: text({ max: 512 }) }, (parameters) => ({
    object: "customer",
    match: { email: parameters.email },
  })),
  operation(
    "GET /v1/customers/:id",
    {},
    (scope, _parameters, { id }) => deletedCustomer(scope, id) ?? findCustomer(scope, id),
  ),
  operation("POST /v1/customers/:id", customerShape, (scope, parameters, { id }) => {
    const before = findCustomer(scope, id);
    const defaultMethod = parameters.invoice_settings?.default_payment_method;
    if (defaultMethod) assertOwnMethod(scope, id, defaultMethod);
    const customer = scope.store.update(change(before, parameters));
    emit(scope, "customer.updated", customer, changedFields(before, customer));
    return customer;
  }),
  operation("DELETE /v1/customers/:id", {}, (scope, _parameters, { id }) => {
    const customer = findCustomer(scope, id);
    const methods = scope.store.list("payment_method", { match: { customer: id }, limit: 1_000 }).rows;
    for (const method of methods) detach(scope, method);
    scope.store.remove(id);
    scope.store.setDetails(id, { deleted: true });
    emit(scope, "customer.deleted", customer);
    return tombstone(id);
  }),
];

/** What is left of a customer who was deleted. */
export function deletedCustomer(account: Account, id: string): Stripe.DeletedCustomer | undefined {
  return id.startsWith("cus_") && (account.store.details(id) as { deleted?: true } | undefined)?.deleted
    ? tombstone(id)
    : undefined;
}

export function createCustomer(
  scope: Scope,
  known: { email: string; name: string | null; phone: string | null },
): Stripe.Customer {
  const customer = scope.store.insert({ ...blankCustomer(scope), ...known });
  emit(scope, "customer.created", customer);
  return customer;
}

function tombstone(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}

function assertOwnMethod(account: Account, customer: string, id: string): void {
  if (account.store.find("payment_method", id)?.customer === customer) return;
  const param = "invoice_settings[default_payment_method]";
  throw noSuchReference("PaymentMethod", `${id}; the payment method must be attached to the customer`, param);
}

function change(customer: Stripe.Customer, given: Parameters<typeof customerShape>): Stripe.Customer {
  const {
    invoice_settings: invoice,
    metadata: metadataChange,
    address: newAddress,
    shipping: newShipping,
    ...rest
  } = given;
  const plain = { description: rest.description, email: rest.email, name: rest.name, phone: rest.phone };
  const defined = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...customer,
    ...defined,
    ...(newAddress === undefined ? {} : { address: newAddress && fullAddress(newAddress) }),
    ...(newShipping === undefined ? {} : { shipping: newShipping && toShipping(newShipping) }),
    invoice_settings: {
      ...customer.invoice_settings,
      ...(invoice?.default_payment_method === undefined
        ? {}
        : { default_payment_method: invoice.default_payment_method }),
    },
    metadata: applyMetadata(customer.metadata, metadataChange),
  };
}

function toShipping(given: Parameters<{ shipping: typeof shipping }>["shipping"] & object): Stripe.Customer.Shipping {
  return { address: fullAddress(given.address), name: given.name, phone: given.phone ?? undefined };
}

function changedFields(before: Stripe.Customer, after: Stripe.Customer): Record<string, unknown> {
  const names = Object.keys(before) as (keyof Stripe.Customer)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}

function blankCustomer(account: Account): Stripe.Customer {
  return {
    id: newId.customer(),
    object: "customer",
    address: null,
    balance: 0,
    created: account.now(),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}
