import { sessionIdRule } from "../../broker/contract/common.ts";
import {
  amountRule,
  cartIdRule,
  cartItemRule,
  centsRule,
  LINE_COUNT,
  sentCartItemRule,
  STORE_CURRENCY,
} from "../shared/commerce.ts";
import { defineService } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, object, oneOf, rule, rules, sentBack, string } from "@partline/api-contracts";

/** What a client sends: one line for each product; lines that name the same product at the same price are added up. */
const linesParam = array(sentCartItemRule, {
  ...LINE_COUNT,
  description: "Lines with the same productId and unitPrice are merged; another unitPrice of it is refused",
});

const linesOrNoneParam = rule({ ...linesParam, min: 0 });
const itemsResult = array(cartItemRule, { description: "One line for each product, in the order they were added" });

const currencyResult = oneOf([STORE_CURRENCY]);

const writtenResult = date({ nullable: true, description: "When the cart was last written; null if never" });

const saveParams = rules({
  cartId: cartIdRule,
  items: linesParam,
  userId: string({
    min: 1,
    max: 200,
    optional: true,
    emptyIsAbsent: true,
    example: "user_2abc",
    description: "The owner; needs that user's bearer token",
  }),
  sessionId: {
    ...sessionIdRule,
    optional: true,
    emptyIsAbsent: true,
    description:
      "Owner of a guest cart; if you send X-Session-Id, it must be the same. Without that header, a customer " +
      "who sends a bearer token owns the cart",
  },
});

const userIdInPath = string({ example: "user_2abc" });

const savedCart = object("Cart", {
  cartId: cartIdRule,
  items: itemsResult,
  subtotal: amountRule,
  currency: currencyResult,
  createdAt: date(),
  expiresAt: date({ nullable: true, description: "null if the cart does not expire" }),
});

const ownCart = object("OwnCart", {
  items: itemsResult,
  total: amountRule,
  itemCount: integer({ description: "Sum of the quantities" }),
  lastSyncedAt: writtenResult,
});

const userCart = object("UserCart", {
  userId: string(),
  items: itemsResult,
  subtotal: amountRule,
  currency: currencyResult,
  updatedAt: writtenResult,
});

/** Of a cart in any of its forms, which clients take from one route to another. */
const cartFields = { ...saveParams, ...savedCart.props, ...ownCart.props, ...userCart.props };

const deleted = object("Deleted", { deleted: boolean() });

const ownersErrors = ["UNAUTHORIZED", "FORBIDDEN"] as const;
const savedCartById = {
  /** Any text is accepted: a malformed id gets 404, as an unknown one does. */
  params: { cartId: string({ example: "cart_1700000000000_k3j9x2m1q" }) },
  errors: ["NOT_FOUND", ...ownersErrors],
} as const;
const ownCartChange = { result: ownCart, errors: ["UNAUTHORIZED", "VALIDATION_FAILED", "VERSION_CONFLICT"] } as const;
const ownLineChange = { result: ownCart, errors: ["NOT_FOUND", ...ownCartChange.errors] } as const;

const lineInCents = object({ ...cartItemRule.props, unitPrice: centsRule });

const shared = { access: "optional", session: true, envelope: true } as const;
const savedOnly = { ...shared, path: "/api/cart/{cartId}", entries: ["payment", "cart", "gateway"] } as const;
const ownOnly = { ...shared, entries: ["cart"], credentials: ["bearer", "sessionId"] } as const;
const usersOnly = {
  ...shared,
  path: "/api/cart/user/{userId}",
  entries: ["cart"],
  credentials: ["bearer", "adminToken"],
} as const;

const OWN =
  "The caller's own cart is the cart of the bearer token's user, or else of X-Session-Id; without either it " +
  "is 401. With both, the session's cart is first merged into the user's: quantities add up, to at most " +
  "9,999 a line and 100 lines. A session's cart is deleted 90 days after its last change; a user's is kept.";

const GUESTS = "It counts towards the guests' daily storage budget.";

const saving = {
  description: `An unexpired cart with this cartId is 409, regardless of the items. ${GUESTS}`,
  params: sentBack(cartFields, saveParams),
  result: savedCart,
  errors: ["CART_EXISTS", "UNAUTHORIZED", "FORBIDDEN", "VALIDATION_FAILED"],
  once: true,
} as const;
const saveRoute = { ...shared, method: "POST", path: "/api/cart", status: 201, guestStorage: {} } as const;

export const cartContract = defineService({
  name: "cart",
  summary: "Saved carts by cartId, and each user's or guest's own cart",
  actions: {
    save: {
      summary: "Save a cart; a user's is kept, a guest's expires after 90 days",
      ...saving,
      http: [{ ...saveRoute, entries: ["cart"] }],
    },
    saveForCheckout: {
      summary: "Save a cart for checkout, for 24 hours",
      ...saving,
      http: [{ ...saveRoute, entries: ["payment", "gateway"] }],
    },
    get: {
      summary: "Read a saved cart",
      ...savedCartById,
      result: savedCart,
      http: [{ ...savedOnly, method: "GET", scope: "users:read" }],
    },
    remove: {
      summary: "Delete a saved cart",
      ...savedCartById,
      result: deleted,
      audit: { object: "cart", id: "cartId", read: "get" },
      http: [{ ...savedOnly, method: "DELETE", scope: "users:write" }],
    },

    current: {
      summary: "Read the caller's own cart",
      description: OWN,
      params: {},
      result: ownCart,
      errors: ["UNAUTHORIZED"],
      http: [{ ...ownOnly, method: "GET", path: "/api/cart" }],
    },
    sync: {
      summary: "Replace the caller's own cart, or add to it",
      description: `${OWN} ${GUESTS}`,
      params: sentBack(cartFields, {
        items: linesOrNoneParam,
        strategy: oneOf(["replace", "merge"], {
          default: "replace",
          description: "`merge` adds the quantities to those in the cart",
        }),
      }),
      ...ownCartChange,
      once: true,
      http: [{ ...ownOnly, method: "PUT", path: "/api/cart/sync", guestStorage: {} }],
    },
    clear: {
      summary: "Empty the caller's own cart",
      description: OWN,
      params: {},
      result: ownCart,
      errors: ["UNAUTHORIZED", "VERSION_CONFLICT"],
      http: [{ ...ownOnly, method: "POST", path: "/api/cart/clear" }],
    },
    addItem: {
      summary: "Add a line to the caller's own cart, or add to its quantity",
      description: `${OWN} Concurrent requests all count. The line takes the title, price and other fields that were sent last. ${GUESTS}`,
      params: { item: sentCartItemRule },
      ...ownCartChange,
      once: true,
      http: [{ ...ownOnly, method: "POST", path: "/api/cart/items", guestStorage: {} }],
    },
    setQuantity: {
      summary: "Set the quantity of a line in the caller's own cart; 0 removes it",
      description: `${OWN} Removing a line that does not exist is no error; another quantity of it is 404.`,
      params: sentBack(sentCartItemRule.props, {
        productId: string({ description: "URL-encoded", example: "kaw-159648141" }),
        quantity: integer({ min: 0, max: 9_999, example: 2 }),
      }),
      ...ownLineChange,
      http: [{ ...ownOnly, method: "PATCH", path: "/api/cart/items/{productId}" }],
    },
    replaceItem: {
      summary: "Replace a line in the caller's own cart with the part that supersedes it",
      description:
        `${OWN} The part is the successor that a checkout's refusal names. It takes the line's quantity and place, at its ` +
        "price in the catalog; if the cart has a line of it, both are added up. Without that line, or without an " +
        "active successor that has a price, it is 404.",
      params: { productId: string({ description: "URL-encoded", example: "koh-2543408" }) },
      ...ownLineChange,
      once: true,
      http: [{ ...ownOnly, method: "POST", path: "/api/cart/items/{productId}/replace" }],
    },

    getForUser: {
      summary: "Read a user's cart (the user or an admin)",
      params: { userId: userIdInPath },
      result: userCart,
      errors: ownersErrors,
      http: [{ ...usersOnly, method: "GET", scope: "users:read" }],
    },
    replaceForUser: {
      summary: "Replace a user's cart (the user or an admin)",
      params: sentBack(cartFields, { userId: userIdInPath, items: linesOrNoneParam }),
      result: userCart,
      errors: [...ownersErrors, "VALIDATION_FAILED", "VERSION_CONFLICT"],
      audit: { object: "own-cart", id: "userId", read: "getForUser" },
      http: [{ ...usersOnly, method: "PUT", scope: "users:write" }],
    },
    removeForUser: {
      summary: "Delete a user's cart (the user or an admin)",
      params: { userId: userIdInPath },
      result: deleted,
      errors: [...ownersErrors, "VERSION_CONFLICT"],
      audit: { object: "own-cart", id: "userId", read: "getForUser" },
      http: [{ ...usersOnly, method: "DELETE", scope: "users:write" }],
    },

    access: {
      summary: "Read a saved cart for checkout, if the caller may use it",
      description: "null if the cartId was never saved, or its cart has expired.",
      params: { cartId: string() },
      result: object({
        cart: object(
          {
            cartId: cartIdRule,
            userId: string({ optional: true }),
            sessionId: string({ optional: true }),
            items: array(lineInCents),
            subtotal: centsRule,
            createdAt: date({ description: "Distinguishes a cart from an earlier one with the same cartId" }),
          },
          { nullable: true },
        ),
      }),
      errors: ownersErrors,
      idempotent: true,
    },
    savedOfUser: {
      summary: "A user's saved carts, for the export of the user's data",
      params: { userId: string(), after: string({ optional: true }) },
      result: object({ carts: array(savedCart), next: string({ nullable: true }) }),
      errors: [],
      idempotent: true,
    },
    clearAfterOrder: {
      summary: "Remove paid lines from the saved cart and the shopper's own cart, once for each payment",
      description: "Once for a paymentKey. The saved cart is emptied unless it was saved again since.",
      params: {
        cartId: string({ nullable: true }),
        cartSavedAt: integer({ optional: true, description: "When the paid cart was saved, milliseconds" }),
        paymentKey: string({ min: 1 }),
        ownCart: object(
          {
            userId: string({ optional: true }),
            sessionId: string({ optional: true }),
            openedAt: integer({ description: "When the checkout was opened, milliseconds" }),
            items: array(object({ productId: string({ description: "As in the cart" }), quantity: integer() })),
          },
          { optional: true },
        ),
      },
      result: object({ cleared: boolean({ description: "False for a repeat" }) }),
      errors: [],
      idempotent: true,
    },
  },

  channels: {
    "cart.saved": {
      summary: "Carts were saved; each is announced once",
      recorded: { aggregate: "cart", prefixes: ["cart_"], id: ["cartId"], each: { list: "carts", at: "saved_at" } },
      payload: {
        carts: array(
          object({
            cartId: string(),
            items: integer({ description: "How many lines it has" }),
            subtotal: centsRule,
            saved_at: string({ description: "ISO 8601" }),
          }),
        ),
      },
    },
  },
});
