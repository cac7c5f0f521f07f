import type Stripe from "stripe";
import { type Account, emit } from "../account.ts";
import { createNoSuchResource } from "../protocol/errors.ts";
import { defineListing, defineOperation } from "../protocol/operation.ts";
import { email, methodType, newMetadata, object, required, shipping, text } from "../protocol/parameters.ts";
import { attach, detach, findMethod } from "./payment-methods.ts";

const customerShape = {
  email,
  metadata: newMetadata,
  name: text({ max: 256 }),
  phone: text({ max: 20 }),
  shipping,
};

export const customerOperations = [
  defineOperation("POST /v1/customers", customerShape, (scope, params) => {
    const invoice_settings = { default_payment_method: null } as Stripe.Customer["invoice_settings"];
    const customer = scope.store.insert("customer", { ...params, invoice_settings });
    emit(scope, "customer.created", customer);
    return customer;
  }),
  defineListing("/v1/customers", "customer", { email: text({ max: 512 }) }),
  defineOperation(
    "GET /v1/customers/:id",
    {},
    (scope, _given, { id }) => findDeletedCustomer(scope, id) ?? scope.store.get("customer", id),
  ),
  defineOperation(
    "POST /v1/customers/:id",
    { ...customerShape, invoice_settings: object({ default_payment_method: required(text()) }) },
    (scope, { invoice_settings: invoice, ...params }, { id }) => {
      const current = scope.store.get("customer", id);
      const method = invoice?.default_payment_method;
      if (method !== undefined && scope.store.find("payment_method", method)?.customer !== id)
        throw createNoSuchResource("payment_method", method, "invoice_settings[default_payment_method]");
      const changes = Object.entries(params).filter(([, value]) => value !== undefined);
      const invoice_settings = { ...current.invoice_settings, ...invoice };
      const customer = scope.store.update(current, { ...Object.fromEntries(changes), invoice_settings });
      emit(scope, "customer.updated", customer);
      return customer;
    },
  ),
  defineOperation("DELETE /v1/customers/:id", {}, (scope, _given, { id }) => {
    const customer = scope.store.get("customer", id);
    const methods = scope.store.list("payment_method", { match: { customer: id }, limit: 1_000 }).rows;
    for (const method of methods) detach(scope, method);
    scope.store.remove(id);
    scope.store.setDetails(id, { deleted: true });
    emit(scope, "customer.deleted", customer);
    return createTombstone(id);
  }),
  defineListing(
    "/v1/customers/:id/payment_methods",
    "payment_method",
    { type: methodType },
    ({ type }, { id }, { store }) => ({ customer: store.get("customer", id).id, type }),
  ),
  defineOperation("GET /v1/customers/:id/payment_methods/:method", {}, ({ store }, _given, { id, method = "" }) => {
    const paymentMethod = store.get("payment_method", method);
    if (paymentMethod.customer !== store.get("customer", id).id) throw createNoSuchResource("payment_method", method);
    return paymentMethod;
  }),
  defineOperation(
    "POST /v1/payment_methods/:id/attach",
    { customer: required(text()) },
    (scope, { customer }, { id }) => {
      const owner = scope.store.get("customer", customer, "customer");
      return attach(scope, findMethod(scope, id), owner.id);
    },
  ),
  defineOperation("POST /v1/payment_methods/:id/detach", {}, (scope, _given, { id }) =>
    detach(scope, scope.store.get("payment_method", id)),
  ),
];

/** Finds the remains of a deleted customer; undefined for any other id. */
export function findDeletedCustomer({ store }: Account, id: string): Stripe.DeletedCustomer | undefined {
  return (store.details(id) as { deleted?: true } | undefined)?.deleted && createTombstone(id);
}

function createTombstone(id: string): Stripe.DeletedCustomer {
  return { id, object: "customer", deleted: true };
}
