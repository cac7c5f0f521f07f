import { contactRule, emailRule } from "../shared/commerce.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, object, rules, sentBack, string } from "@partline/api-contracts";
import { exportAction } from "../shared/export-rules.ts";
import { createRoutes } from "../shared/routes.ts";
import { PROVIDER_DEADLINE_MS } from "../../mixins/payment-provider/limits.ts";

const users = { entries: ["payment", "gateway"], access: "user", envelope: true } as const satisfies Partial<HttpRoute>;
const route = createRoutes("users", { ...users, base: "/api/customers" });

/** Not checked for form: an id that cannot exist is not found, like one that does not. */
const customerIdInPath = string({ example: "cust_01JB2X0000000000000000000" });

const paymentMethodIdRule = string({ min: 1, max: 255, example: "pm_1Qabc" });

export const customerRule = object("Customer", {
  customerId: customerIdInPath,
  userId: string({ description: "The identity provider's user id" }),
  email: string({ personal: true }),
  name: string({ personal: true, nullable: true }),
  phone: string({ personal: true, nullable: true }),
  defaultPaymentMethodId: string({ nullable: true }),
  createdAt: date(),
});

const paymentMethod = object("PaymentMethod", {
  id: paymentMethodIdRule,
  brand: string({ example: "visa" }),
  last4: string({ example: "4242" }),
  expMonth: integer({ example: 12 }),
  expYear: integer({ example: 2030 }),
  isDefault: boolean(),
});

const customerWithCards = object("CustomerWithCards", {
  customer: object({ ...customerRule.props, paymentMethods: array(paymentMethod) }, { nullable: true }),
});

/** An action makes at most four requests in a row: find a lost customer, make it, and two about a card. */
const LONGEST_MS = 4 * PROVIDER_DEADLINE_MS;

const OWNER = "A customer belongs to its user; another user's is 403, except for admins.";
const OF_OTHER = `${OWNER} A card of another customer is 404.`;

const params = rules({ id: { ...customerIdInPath, description: "The customer's id, or its user's" } });
const ofCards = { params, errors: ["NOT_FOUND", "FORBIDDEN", "PROVIDER_ERROR"], timeout: LONGEST_MS } as const;

export const customerContract = defineService({
  name: "customer",
  summary: "Customers and their saved payment methods at the payment provider; card numbers never pass through here",
  actions: {
    create: {
      summary: "Create the caller's customer",
      description:
        "A user has one customer, here and at the payment provider. A second call returns the first customer " +
        "unchanged.",
      params: sentBack(customerRule.props, {
        userId: string({ optional: true, description: "The caller's own id; any other is 403" }),
        email: { ...emailRule, optional: true, description: "Defaults to the token user's address" },
        name: string({ personal: true, min: 1, max: 200, optional: true, example: "Ada Lovelace" }),
        phone: string({ personal: true, min: 1, max: 20, optional: true, example: "+1 555 0100" }),
      }),
      result: customerRule,
      errors: ["VALIDATION_FAILED", "FORBIDDEN", "PROVIDER_ERROR"],
      once: true,
      http: [{ ...users, method: "POST", path: "/api/customers", status: 201 }],
      timeout: LONGEST_MS,
    },
    mine: {
      summary: "Read the caller's customer and saved cards",
      description: "`customer` is null until the first card is saved, or POST /api/customers.",
      params: {},
      result: customerWithCards,
      errors: ["PROVIDER_ERROR"],
      timeout: PROVIDER_DEADLINE_MS,
      http: [{ ...users, method: "GET", path: "/api/customers/me" }],
    },
    get: {
      summary: "Read a customer",
      description: OWNER,
      params,
      result: customerRule,
      errors: ["NOT_FOUND", "FORBIDDEN"],
      http: route("GET", "/{id}"),
    },
    createSetupIntent: {
      summary: "Start saving a card",
      description: `The client secret is for the payment provider's own form, which takes the card. ${OWNER}`,
      ...ofCards,
      result: object("SetupIntent", { setupIntentId: string(), clientSecret: string() }),
      once: true,
      audit: { object: "customer", id: "id", report: ["setupIntentId"] },
      http: route("POST", "/{id}/setup-intent", { status: 201 }),
    },
    listPaymentMethods: {
      summary: "List the saved cards of a customer",
      description: OWNER,
      ...ofCards,
      result: array(paymentMethod),
      http: route("GET", "/{id}/payment-methods"),
    },
    removePaymentMethod: {
      summary: "Delete a saved card",
      description: OF_OTHER,
      ...ofCards,
      params: { ...params, pmId: string({ example: "pm_1Qabc" }) },
      result: object("Deleted", { deleted: boolean() }),
      audit: { object: "customer", id: "id", read: "listPaymentMethods" },
      http: route("DELETE", "/{id}/payment-methods/{pmId}"),
    },
    setDefaultPaymentMethod: {
      summary: "Choose the default card",
      description: OF_OTHER,
      ...ofCards,
      params: { ...params, paymentMethodId: paymentMethodIdRule },
      result: customerRule,
      audit: { object: "customer", id: "id", read: "get" },
      http: route("PUT", "/{id}/default-payment-method"),
    },
    export: exportAction("customers", {
      what: "customers",
      order: "In the order in which they were made, by which `from` and `to` choose.",
      scope: "users:read",
      entries: users.entries,
    }),
    ofUser: {
      summary: "A user's customer and cards, for the export of the user's data",
      params: { userId: string() },
      result: customerWithCards,
      errors: ["PROVIDER_ERROR"],
      timeout: PROVIDER_DEADLINE_MS,
      idempotent: true,
    },
    providerId: {
      summary: "The payment provider's id of a user's customer, or null, and how to reach the user",
      params: { userId: string() },
      result: object({
        providerCustomerId: string({ nullable: true }),
        contact: { ...contactRule, optional: true },
      }),
      errors: [],
      idempotent: true,
    },
    livingProviderId: {
      summary: "Asks the provider first; a customer that it no longer has is created again",
      params: { userId: string() },
      result: object({ providerCustomerId: string({ nullable: true }) }),
      errors: ["NOT_FOUND", "PROVIDER_ERROR"],
      timeout: LONGEST_MS,
    },
  },
});
