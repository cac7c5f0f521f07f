import { paginationRule, pagingParams, writtenLine, writtenText } from "../../broker/contract/common.ts";
import { centsRule, contactEmailRule, emailRule, shippingAddressRule } from "../shared/commerce.ts";
import { cursorRule, nextCursorRule } from "../../broker/contract/cursor.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import { fileAnswerRule, fileParams } from "../../broker/contract/file.ts";
import { isoMomentRule } from "../../broker/contract/period.ts";
import { LONGEST_RETURN_COMMENT, RETURN_REASONS } from "../../mixins/shop/return-limits.ts";
import { paymentStatusRule, placedOrderRule, shippingUnderpaidRule } from "../shared/placed-order.ts";
import {
  ANY_TYPE,
  array,
  boolean,
  integer,
  number,
  object,
  oneOf,
  record,
  rules,
  string,
} from "@partline/api-contracts";
import { MOST_SHORTAGES, shortageFields } from "../shared/indexed-part.ts";
import { exportAction } from "../shared/export-rules.ts";
import { createRoutes } from "../shared/routes.ts";
import { orderEvents, orderHistoryRule } from "./events.ts";
import {
  adminOrderListRule,
  adminOrderRule,
  cancelledOrderRule,
  conditionRule,
  foundOrdersRule,
  mailedFields,
  orderExportRule,
  orderIdRule,
  orderListRule,
  orderLookupRule,
  linkedOrderRule,
  orderRule,
  orderStatsRule,
  reasonRule,
  refundAmountRule,
  refundedOrderRule,
  updatedOrderRule,
  PAID_BY,
} from "./resources.ts";
import {
  deliveryFields,
  DISPUTE_STATES,
  LISTED_STATES,
  ORDER_QUEUES,
  orderedFields,
  staffFields,
  statusRule,
} from "./shape.ts";

const open = { entries: ["payment", "gateway"], access: "none", envelope: true } as const;
const base = "/api/orders";
const ownRoutes = createRoutes("orders", { ...open, access: "user", base });
const ownerOrAdmin = createRoutes("orders", {
  ...open,
  access: "optional",
  credentials: ["bearer", "adminToken"],
  base,
});
const linkRoutes = (method: HttpRoute["method"], path: string, more?: Partial<HttpRoute>): HttpRoute[] => [
  { ...open, method, path: `/api/orders/by-link/{token}${path}`, ...more },
];
const admin = createRoutes("orders", { ...open, access: "admin-token", base: "/api/admin/orders" });

const orderAudit = { object: "order", id: "orderId", read: "adminGet" } as const;
const making = { once: true, audit: orderAudit } as const;
/** The longest wait for the payment provider, and for a cancellation that is under way. */
const paying = { ...making, timeout: 30_000 } as const;
const correcting = { result: adminOrderRule, errors: ["NOT_FOUND", "VERSION_CONFLICT"], audit: orderAudit } as const;
const changing = { ...correcting, ...making, errors: ["INVALID_TRANSITION", ...correcting.errors] } as const;
const PROVIDER_ERRORS = ["NOT_FOUND", "VERSION_CONFLICT", "PROVIDER_ERROR", "TIMEOUT"] as const;
const CANCEL_ERRORS = ["FORBIDDEN", "ORDER_NOT_CANCELLABLE", ...PROVIDER_ERRORS] as const;
const refunding = {
  ...paying,
  result: refundedOrderRule,
  errors: [...changing.errors, "PAYMENT_DISPUTED", "PROVIDER_ERROR", "TIMEOUT"],
} as const;

const exported = { entries: open.entries, scope: "orders:read" } as const;
const paper = { method: "GET", envelope: false, answer: "file", produces: ["application/pdf"] } as const;

/** Rates of a carrier are asked for twice at once. */
const addressing = {
  errors: ["SHIPPING_UNDERPAID", "INVALID_TRANSITION", ...PROVIDER_ERRORS],
  timeout: 20_000,
} as const;

const returnParams = rules({ orderId: orderIdRule, returnId: string({ example: "ret_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }) });
const shipmentParams = rules({
  orderId: orderIdRule,
  shipmentId: string({ example: "shp_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }),
});
const orderParams = rules({ orderId: orderIdRule });
const file = {
  params: { ...orderParams, ...fileParams },
  result: { ...fileAnswerRule },
  errors: ["NOT_FOUND", "VERSION_CONFLICT"],
} as const;
/** Orders that staff work on together. */
const MOST_AT_ONCE = 100;
const orderIdsParam = string({
  pattern: /^ord_\w+(,ord_\w+){0,99}$/,
  words: `at most ${MOST_AT_ONCE} order ids with commas between`,
  example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A,ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5B",
});
const chosenOrders = rules({ orderIds: { ...orderIdsParam, optional: true, description: "Only these orders" } });
const orderExport = exportAction("orders", {
  ...exported,
  what: "orders",
  order: "In the order in which they were made, by which `from` and `to` choose.",
});
const lineExport = exportAction("order-lines", {
  ...exported,
  what: "the lines of orders",
  order: "In the order in which the orders were made, by which `from` and `to` choose.",
});
const versionParam = integer({ min: 1, optional: true });
const unset = { optional: true, nullable: true } as const;
const override = object(
  "ShipmentOverride",
  {
    reason: string({
      ...writtenText,
      max: 500,
      example: "The buyer withdraws the dispute; see the letter of 12 November",
    }),
  },
  {
    optional: true,
    description: "Ships despite a dispute, which else is 409 PAYMENT_DISPUTED. The reason becomes a note",
  },
);

const period = rules({
  from: {
    ...isoMomentRule,
    description: "Created at or after the start of this date (a day of the shop) or this time",
  },
  to: { ...isoMomentRule, description: "Created before this time, or until the end of this date (a day of the shop)" },
});

const filters = rules({
  status: { ...statusRule, optional: true },
  paymentStatus: { ...paymentStatusRule, optional: true },
  ...period,
  q: string({
    min: 1,
    max: 100,
    optional: true,
    example: "15964-8141",
    description: "An order number or its beginning, an orderId, or a part number (its newest 10,000 orders)",
  }),
  sort: oneOf(["newest", "oldest", "total_desc", "total_asc"], { default: "newest" }),
});

const listParams = rules({ ...pagingParams, ...filters });

const staffFilters = rules({
  refundDue: boolean({
    default: false,
    description: "Only orders whose refund failed, so that money is still due to the buyer",
  }),
  disputeState: oneOf(DISPUTE_STATES, { optional: true, description: "Only orders with disputes in this state" }),
  addressMissing: boolean({
    default: false,
    description: "Only orders that cannot be shipped because their address is incomplete",
  }),
  shippingUnderpaid: boolean({
    default: false,
    description: "Only orders that are yet to ship, to a place that costs more than was paid for",
  }),
  pickupPlace: string({
    max: 40,
    optional: true,
    example: "main-store",
    description: "Only orders whose buyer chose this pickup place",
  }),
  queue: oneOf(ORDER_QUEUES, { optional: true, description: "Only orders of this queue" }),
  lineState: oneOf(LISTED_STATES, {
    optional: true,
    description: "Only orders with a piece in this state; `unshipped`: open or backordered",
  }),
});

const piecesRule = array(
  object("RefundItem", {
    productId: string({
      min: 1,
      max: 200,
      optional: true,
      description: "Required if several products of the order have the part number",
    }),
    partNumber: string({
      min: 1,
      max: 100,
      optional: true,
      description: "Sufficient if one product of the order has it",
    }),
    quantity: integer({ min: 1, max: 9_999 }),
  }),
  { min: 1, max: 100 },
);

const parcelWeightRule = integer({
  min: 1,
  max: 70_000_000,
  optional: true,
  description: "Of the parcel; by default what the buyer paid for, in proportion to the pieces",
});

const linkParams = rules({
  token: string({
    max: 2_000,
    example: "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
    description: "The token of the link in an email",
  }),
});

const guestOrder = rules({
  email: contactEmailRule,
  orderNumber: string({ example: "ORD-20261121-000042" }),
});

const returnRequest = rules({
  lines: piecesRule,
  reason: oneOf(RETURN_REASONS),
  comment: string({
    ...writtenText,
    ...{ min: 0, max: LONGEST_RETURN_COMMENT },
    optional: true,
    personal: true,
    description: "The buyer's words, for staff",
  }),
});

const askingReturn = {
  description:
    "For pieces that have shipped, as long as the shop's terms allow (`returns` of GET /api/shop): `days` after " +
    "delivery, or after the last shipment plus 14 days for transit. Staff decide, unless `approval` is auto; its " +
    "`state` says so, and the buyer gets an email. Pieces of another return that is requested or expected are 409.",
  once: true,
  result: orderRule,
  errors: ["FORBIDDEN", "NOT_FOUND", "VALIDATION_FAILED", "INVALID_TRANSITION", "VERSION_CONFLICT"],
} as const;

const cancellingReturn = {
  summary: "Cancel a return that is requested or expected, for its buyer",
  description: "Until pieces of it arrive. Its prepaid label is voided, and the buyer gets an email.",
  once: true,
  result: orderRule,
  errors: ["FORBIDDEN", "NOT_FOUND", "INVALID_TRANSITION", "VERSION_CONFLICT"],
} as const;

const showingReturn = {
  description: "The body is the photo: JPEG, PNG, WebP, AVIF or GIF, at most 20 MB; three for a return.",
  timeout: 180_000,
  result: orderRule,
  errors: [...askingReturn.errors, "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "SERVICE_UNAVAILABLE"],
} as const;
const photoRoute = { status: 201, body: "stream", consumes: ["image/*", ANY_TYPE] } as const;

const paymentRefs = rules({
  paymentKey: string({
    optional: true,
    description: "Checkout session id, or payment intent id of a cart paid by POST /api/payment-intent",
  }),
  paymentIntentId: string({ optional: true }),
});

export const orderContract = defineService({
  name: "order",
  summary: "Orders: created when a payment completes, then shipped, cancelled and refunded",
  actions: {
    bySession: {
      summary: "Find the order of a checkout session",
      description: "404 until the payment provider reports the session as completed.",
      params: { sessionId: string({ example: "cs_test_a1QabcDEF" }) },
      result: orderLookupRule,
      errors: ["NOT_FOUND"],
      http: [{ ...open, method: "GET", path: "/api/orders/by-session/{sessionId}" }],
    },
    byPayment: {
      summary: "Find the order of a payment intent",
      params: { paymentIntentId: string({ example: "pi_3QabcDEF" }) },
      result: orderLookupRule,
      errors: ["NOT_FOUND"],
      http: [{ ...open, method: "GET", path: "/api/orders/by-payment/{paymentIntentId}" }],
    },
    get: {
      summary: "Read an order",
      description: "For the order's owner and for admins.",
      params: orderParams,
      result: orderRule,
      errors: ["FORBIDDEN", "NOT_FOUND"],
      http: ownRoutes("GET", "/{orderId}"),
    },
    listForUser: {
      summary: "List a user's orders",
      description: "Also for admins. What the user's verified email address ordered as a guest becomes the user's.",
      params: { userId: string({ example: "user_sandbox_customer" }), ...listParams },
      result: orderListRule,
      errors: ["FORBIDDEN", "VALIDATION_FAILED"],
      http: ownRoutes("GET", "/user/{userId}"),
    },
    exportForUser: {
      summary: "Export the personal data in a user's orders",
      description: "For that user and for admins. Empty once the account is deleted.",
      params: { userId: string({ example: "user_sandbox_customer" }), ...pagingParams },
      result: object("OrderExports", { orders: array(orderExportRule), pagination: paginationRule }),
      errors: ["FORBIDDEN"],
      http: ownRoutes("GET", "/user/{userId}/export", { scope: "users:read" }),
    },
    cancel: {
      summary: "Cancel an order and refund what was paid",
      description:
        "The order's owner and admins can cancel it until something ships. The rest of the payment is refunded, except for " +
        "money that a dispute has, until it is won. If the provider refuses, the answer is 502 and the order stays as it " +
        "was, unless an admin sets `forceCancel`. What could not be refunded, or comes back days later, is `refundDue` and " +
        "is retried until it succeeds. Requests that arrive while the order is being cancelled get the same answer, later " +
        "ones 409. After 504 the cancellation continues: repeat the request with its Idempotency-Key to get the answer.",
      params: {
        orderId: orderIdRule,
        reason: reasonRule,
        adminNote: staffFields.adminNote,
        forceCancel: boolean({
          default: false,
          description: "Cancels even if the provider refuses the refund. Admins only",
        }),
      },
      result: cancelledOrderRule,
      errors: ["UNAUTHORIZED", ...CANCEL_ERRORS],
      ...paying,
      http: ownerOrAdmin("POST", "/{orderId}/cancel", { scope: "orders:refund" }),
    },
    adminList: {
      summary: "List all orders",
      description: "Counts all matches, so late pages are slow. For many orders, use POST /api/admin/orders/search.",
      params: { ...listParams, ...staffFilters },
      result: adminOrderListRule,
      errors: ["VALIDATION_FAILED"],
      http: admin("GET", ""),
    },
    adminSearch: {
      summary: "Search all orders, also by the buyer's name, email address or phone",
      description: "Reads from a cursor and counts nothing. Names and addresses belong in a body: URLs are logged.",
      params: {
        ...filters,
        ...staffFilters,
        q: string({
          personal: true,
          min: 1,
          max: 200,
          optional: true,
          example: "000042",
          description:
            "Any part of an order number, name, email address, phone, tracking or part number, in any case; spaces " +
            "and punctuation can be left out. With an @, email addresses that have exactly this part",
        }),
        email: { ...contactEmailRule, optional: true },
        orderIds: array(orderIdRule, { min: 1, max: MOST_AT_ONCE, optional: true, description: "Only these orders" }),
        pageSize: pagingParams.pageSize,
        cursor: cursorRule,
      },
      result: foundOrdersRule,
      errors: ["VALIDATION_FAILED"],
      idempotent: true,
      http: admin("POST", "/search", { scope: "orders:read" }),
    },
    adminQueues: {
      summary: "Count the orders that wait for the shop",
      description:
        "to_pack and pickup: paid pieces that can be packed or made ready now; awaiting_pickup: pieces that are ready; " +
        "disputed: also inquiries of a bank; label_refused: EasyPost does not refund a voided label, until the note that " +
        "says so is removed. An order can be in several. The lists take a name as `queue`.",
      params: {},
      result: object("OrderQueues", {
        queues: array(object("OrderQueueCount", { queue: oneOf(ORDER_QUEUES), count: integer() })),
      }),
      errors: [],
      http: admin("GET", "/queues"),
    },
    adminStats: {
      summary: "Count orders and revenue",
      description: "Covers the orders created in the period; each field's description says which of them it counts.",
      params: period,
      result: orderStatsRule,
      errors: ["VALIDATION_FAILED"],
      timeout: 60_000,
      http: admin("GET", "/stats"),
    },
    adminGet: {
      summary: "Read an order with its admin fields",
      params: orderParams,
      result: adminOrderRule,
      errors: ["NOT_FOUND"],
      http: admin("GET", "/{orderId}"),
    },
    adminUpdate: {
      summary: "Change an order's status, tracking or note",
      description:
        "The status moves from pending to processing, shipped and delivered, one step at a time. An order ships only once " +
        "it is paid, and not once all is refunded (409). `cancelled` cancels the order (reason requested_by_customer), needs " +
        "the scope `orders:refund` and takes no tracking. Send `version` to change only the version that you read.",
      params: {
        orderId: orderIdRule,
        status: { ...statusRule, optional: true },
        ...deliveryFields,
        ...staffFields,
        override,
        version: versionParam,
      },
      result: updatedOrderRule,
      errors: ["FORBIDDEN", "ORDER_NOT_CANCELLABLE", ...refunding.errors],
      timeout: 30_000,
      audit: orderAudit,
      http: admin("PATCH", "/{orderId}"),
    },
    adminRefund: {
      summary: "Refund part or all of an order",
      description:
        "Send an amount, or items, or neither to refund the rest. Items are refunded at the price paid for them: " +
        "their share of the total without shipping, with tax and less discounts. Items that have not shipped are " +
        "cancelled with their refund, all with the last cent; with the last piece, the order is cancelled and its " +
        "shipping refunded. Shipped ones stay with the buyer, and are not refunded again if they come back. Name an " +
        "item by its productId, or by a partNumber that only it has in the order. An order can have several " +
        "refunds, pending ones included, up to its total. Repeating a refund after 502 (the same items, or the same " +
        "amount without items) never pays twice, even if the provider's webhook has reported its success meanwhile. " +
        "After 504 the order lists the refund, which continues: do not repeat it, or it is made twice.",
      params: {
        orderId: orderIdRule,
        amount: refundAmountRule,
        items: { ...piecesRule, optional: true },
        reason: reasonRule,
      },
      ...refunding,
      http: admin("POST", "/{orderId}/refunds", { scope: "orders:refund" }),
    },
    adminSettleRefund: {
      summary: "Record that a refund that is due was paid without the payment provider",
      description:
        "For what the provider refuses for good, such as a closed card: pay `refundDue` by another way first. The buyer gets " +
        "an email that says how it was paid. 409 if nothing is due, or while the provider is being asked.",
      params: {
        orderId: orderIdRule,
        paidBy: oneOf(PAID_BY),
        note: string({ ...writtenText, max: 500, personal: true, example: "Check 1042, mailed" }),
        version: versionParam,
      },
      ...changing,
      http: admin("POST", "/{orderId}/refunds/settled", { scope: "orders:refund" }),
    },
    setShippingAddress: {
      summary: "Set the address that an order is shipped to",
      description:
        "Needs a complete address: name, street, city, country (ISO 3166), and state and postal code if the " +
        "country has them. The order's owner and admins can set it until something ships. If shipping there costs " +
        "more than was paid, the owner gets 409 with the difference; the same holds for another state if tax was " +
        "paid. An admin can set it, which marks the order as `shippingUnderpaid`.",
      params: { orderId: orderIdRule, shippingAddress: shippingAddressRule },
      result: orderRule,
      ...addressing,
      errors: ["UNAUTHORIZED", "FORBIDDEN", ...addressing.errors],
      audit: orderAudit,
      http: ownerOrAdmin("PUT", "/{orderId}/shipping-address"),
    },
    adminSetContact: {
      summary: "Correct how the buyer of an order is reached",
      description:
        "Send only what changes; null removes a name or a phone number. Emails that were sent are not sent again. If the " +
        "buyer was erased, the contact is erased too once nothing is left to do of the order, within a minute.",
      params: {
        orderId: orderIdRule,
        email: { ...emailRule, optional: true },
        name: string({ ...writtenLine, max: 200, personal: true, ...unset, example: "Ada Mechanic" }),
        phone: string({ ...writtenLine, min: 3, max: 50, personal: true, ...unset, example: "+1 555 0100" }),
        version: versionParam,
      },
      ...correcting,
      http: admin("PATCH", "/{orderId}/contact"),
    },
    adminShip: {
      summary: "Ship pieces of an order",
      description:
        "Without `lines`, everything that is left ships. If two requests ship the same piece at once, one gets 409. The " +
        "order's status follows: processing, then shipped with its last piece.",
      params: {
        orderId: orderIdRule,
        lines: { ...piecesRule, optional: true },
        ...deliveryFields,
        tracking: {
          ...deliveryFields.trackingNumber,
          description: "Alias of trackingNumber, which takes precedence",
        },
        label: object(
          "LabelRequest",
          {
            rate: string({
              max: 110,
              optional: true,
              description: "Carrier and service; by default those that the buyer chose, else the cheapest",
              example: "USPS Priority",
            }),
            weightGrams: parcelWeightRule,
          },
          {
            optional: true,
            description:
              "Buys a label from EasyPost, which sets carrier and tracking number (sent with it, these are refused); `labels` " +
              "of the order has the label. Only within the country of SHIP_FROM. After 504, and after a crash, the purchase continues " +
              "in the background: one label is bought. A rate that is not offered is refused with those that are",
          },
        ),
        override,
        version: versionParam,
      },
      result: adminOrderRule,
      errors: ["ADDRESS_MISSING", ...refunding.errors],
      ...paying,
      http: admin("POST", "/{orderId}/shipments", { status: 201 }),
    },
    adminLabelRates: {
      summary: "List what a label for a parcel of an order costs",
      description: "The cheapest first. Asks EasyPost; nothing is bought. `label.rate` of a shipment takes `rate`.",
      params: {
        orderId: orderIdRule,
        lines: { ...piecesRule, optional: true },
        returnId: string({ optional: true, description: "For the way back of this return, which takes the cheapest" }),
        weightGrams: parcelWeightRule,
      },
      result: object("LabelRates", {
        rates: array(
          object("LabelRate", {
            ...{ rate: string({ example: "USPS Priority" }), provider: string(), serviceType: string() },
            cost: string({ description: "In US dollars", example: "7.35" }),
            estimatedDays: integer({ optional: true }),
            isBuyersChoice: boolean({ description: "The buyer chose this method" }),
          }),
        ),
      }),
      errors: ["NOT_FOUND", "ADDRESS_MISSING", "INVALID_TRANSITION", "PROVIDER_ERROR", "TIMEOUT"],
      timeout: 30_000,
      idempotent: true,
      http: admin("POST", "/{orderId}/label-rates", { scope: "orders:read" }),
    },
    adminCorrectShipment: {
      summary: "Correct the carrier and tracking number of a shipment",
      description: "A buyer who waits for the parcel gets an email.",
      params: { ...shipmentParams, ...deliveryFields, version: versionParam },
      ...correcting,
      http: admin("PATCH", "/{orderId}/shipments/{shipmentId}"),
    },
    adminCancelShipment: {
      summary: "Cancel a shipment",
      description: "Within an hour, if it has not left after all. The buyer gets an email, and its label is voided.",
      params: { ...shipmentParams, version: versionParam },
      ...changing,
      http: admin("POST", "/{orderId}/shipments/{shipmentId}/cancel"),
    },
    adminDelay: {
      summary: "Announce to the buyer when pieces of an order are expected",
      description: "Applies to the lines, or to everything that has not shipped. The buyer gets an email.",
      params: {
        orderId: orderIdRule,
        lines: { ...piecesRule, optional: true },
        days: integer({ min: 1, max: 730, description: "Days from now until they can be shipped" }),
      },
      ...changing,
      http: admin("POST", "/{orderId}/delays"),
    },
    adminCancelLines: {
      summary: "Cancel pieces of an order and refund them",
      description:
        "Refunds the share of pieces that have not shipped. If the provider refuses, the answer is 502 and the order stays " +
        "as it was. Cancelling the last piece cancels the order and refunds the rest of the payment.",
      params: { orderId: orderIdRule, lines: piecesRule, reason: reasonRule },
      ...refunding,
      http: admin("POST", "/{orderId}/lines/cancel", { scope: "orders:refund" }),
    },
    adminShortages: {
      summary: "List the parts to order, by vendor",
      description:
        "Parts that orders wait for, and those at their reorder point or below it, less the pieces that are on order. A page " +
        "has fewer than `pageSize` where enough is on order; `nextCursor` says whether there is more.",
      params: {
        pageSize: integer({ min: 1, max: MOST_SHORTAGES, default: MOST_SHORTAGES }),
        cursor: { ...cursorRule, example: "WyJzaG9ydGFnZXMiLCJrYXctMTU5NjQ4MTQxIl0" },
      },
      result: object({
        parts: array(
          object("Shortage", {
            ...shortageFields,
            orders: array(object({ orderId: orderIdRule, orderNumber: string() }), {
              description: "Orders that wait for it, the oldest first; at most 10",
            }),
          }),
        ),
        nextCursor: nextCursorRule,
      }),
      errors: ["VALIDATION_FAILED"],
      http: createRoutes("orders", { ...open, access: "admin-token", base: "/api/admin" })("GET", "/shortages"),
    },
    adminMarkPacked: {
      summary: "Mark orders as packed",
      description:
        "Marks all pieces that can ship now, or with `packed: false` takes the mark away. It lasts until a piece arrives that " +
        "was on backorder. What is refused is named, and the other orders are marked.",
      params: {
        orderIds: array(orderIdRule, { min: 1, max: MOST_AT_ONCE }),
        packed: boolean({ default: true }),
      },
      result: object("PackedOrders", {
        marked: array(orderIdRule),
        refused: array(object("OrderRefusal", { orderId: orderIdRule, code: string(), message: string() })),
      }),
      errors: [],
      idempotent: true,
      timeout: 30_000,
      audit: { object: "order", report: ["marked", "packed"] },
      http: admin("POST", "/packed"),
    },
    adminNote: {
      summary: "Add a note to an order",
      description: "Only staff see it. It is erased with the buyer's personal data.",
      params: {
        orderId: orderIdRule,
        text: string({ ...writtenText, max: 2_000, example: "Called: deliver after 17:00" }),
      },
      ...changing,
      http: admin("POST", "/{orderId}/notes", { status: 201 }),
    },
    adminRemoveNote: {
      summary: "Remove a note of an order",
      params: { orderId: orderIdRule, noteId: string({ example: "note_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }) },
      ...correcting,
      http: admin("DELETE", "/{orderId}/notes/{noteId}"),
    },
    adminReturn: {
      summary: "Register a return of pieces of an order",
      description: "Takes pieces that have shipped. When they arrive, they are refunded less the restocking fee.",
      params: {
        orderId: orderIdRule,
        lines: piecesRule,
        reason: oneOf(RETURN_REASONS, { default: "not_needed" }),
        restockingFee: number({
          money: "units",
          min: 0,
          max: 999_999.99,
          default: 0,
          example: 5,
          description: "Kept from the refund",
        }),
      },
      ...changing,
      http: admin("POST", "/{orderId}/returns", { status: 201 }),
    },
    requestReturn: {
      summary: "Request a return of pieces of your order",
      ...askingReturn,
      params: { orderId: orderIdRule, ...returnRequest },
      audit: orderAudit,
      http: ownRoutes("POST", "/{orderId}/returns", { status: 201 }),
    },
    requestReturnByLink: {
      summary: "Request a return of pieces of an order by its link",
      ...askingReturn,
      params: { ...linkParams, ...returnRequest },
      http: linkRoutes("POST", "/returns", { status: 201 }),
    },
    addReturnPhoto: {
      summary: "Add a photo to a return that you requested",
      ...showingReturn,
      params: { ...returnParams, contentType: string() },
      audit: orderAudit,
      http: ownRoutes("POST", "/{orderId}/returns/{returnId}/photos", photoRoute),
    },
    addReturnPhotoByLink: {
      summary: "Add a photo to a return that was requested by an order's link",
      ...showingReturn,
      params: { ...linkParams, returnId: returnParams.returnId, contentType: string() },
      http: linkRoutes("POST", "/returns/{returnId}/photos", photoRoute),
    },
    cancelReturn: {
      ...cancellingReturn,
      params: returnParams,
      audit: orderAudit,
      http: ownRoutes("POST", "/{orderId}/returns/{returnId}/cancel"),
    },
    cancelReturnByLink: {
      ...cancellingReturn,
      params: { ...linkParams, returnId: returnParams.returnId },
      http: linkRoutes("POST", "/returns/{returnId}/cancel"),
    },
    adminDecideReturn: {
      summary: "Approve or refuse a return that a buyer requested",
      description: "The buyer gets an email. A repeat changes nothing; another decision is 409.",
      params: {
        ...returnParams,
        decision: oneOf(["approved", "refused"]),
        refusal: string({
          ...writtenText,
          max: 1_000,
          optional: true,
          personal: true,
          example: "The seal of the part is broken",
          description: "Why it is refused; the buyer sees it. Required then",
        }),
        restockingFee: {
          ...refundAmountRule,
          min: 0,
          description: "Of an approved return; by default as the terms say",
        },
        label: boolean({
          default: true,
          description: "Buys a prepaid label for an approved return if EasyPost sells one. False: the buyer sends it",
        }),
      },
      ...changing,
      errors: ["VALIDATION_FAILED", ...changing.errors],
      http: admin("POST", "/{orderId}/returns/{returnId}/decision"),
    },
    adminReceiveReturn: {
      summary: "Record that pieces of a return have arrived, and refund them",
      description:
        "Without `lines`, everything that is expected has arrived. The restocking fee is kept from what arrives first. A " +
        "repeat without lines refunds nothing more and returns the same refund.",
      params: {
        ...returnParams,
        lines: array(
          object("ReceivedItem", {
            ...piecesRule.items.props,
            condition: { ...conditionRule, description: "State in which these pieces came back" },
            restockingFee: { ...refundAmountRule, min: 0, description: "Kept for these pieces" },
          }),
          { min: 1, max: 100, optional: true, description: "A product can be on several, in other conditions" },
        ),
        restockingFee: {
          ...refundAmountRule,
          min: 0,
          description: "In place of what is left of the return's fee. Not together with fees of lines",
        },
        condition: {
          ...conditionRule,
          description: "State of the pieces, unless their line says it. Only what is resalable is stock again",
        },
      },
      ...refunding,
      http: admin("POST", "/{orderId}/returns/{returnId}/receipt", { scope: "orders:refund" }),
    },
    adminCancelReturn: {
      summary: "Cancel a return, or the rest of it",
      description: "The pieces can be returned later. The buyer gets an email. A repeat changes nothing.",
      params: returnParams,
      ...changing,
      http: admin("POST", "/{orderId}/returns/{returnId}/cancel"),
    },
    guestExport: {
      summary: "Export the personal data in a guest's order",
      params: guestOrder,
      result: orderExportRule,
      errors: ["NOT_FOUND"],
      idempotent: true,
      http: admin("POST", "/guest-data/export", { scope: "users:read" }),
    },
    guestErase: {
      summary: "Erase the personal data in a guest's order",
      description:
        "The order is kept without its contact, address, metadata and notes. One that is not done needs them: they are erased " +
        "within a minute of its end, and `waitsFor` says what is left to do. An order without a contact is found by its " +
        "number alone. A contact that is set later is erased in turn.",
      params: guestOrder,
      result: object({
        orderId: orderIdRule,
        erased: array(string(), { description: "Names of the fields; none while the order is open" }),
        waitsFor: array(oneOf([...ORDER_QUEUES, "unshipped", "undelivered"]), {
          optional: true,
          description:
            "What is left to do of it, by its queues; unshipped: it is in none yet; undelivered: a parcel may come back",
        }),
      }),
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "order", id: "orderId", report: ["erased", "waitsFor"], waits: "waitsFor" },
      http: admin("POST", "/guest-data/erase", { scope: "users:write" }),
    },
    adminHistory: {
      summary: "Read who changed an order, when and how",
      description: "Lists the order's events from the event store, by version.",
      params: orderParams,
      result: orderHistoryRule,
      errors: ["NOT_FOUND"],
      http: admin("GET", "/{orderId}/history"),
    },
    byLink: {
      summary: "Read an order by the link in an email",
      description:
        "A link is valid for 90 days. A forged or expired one is 404, also on the paths below it. The token of a look-up " +
        "shows the order without contact and street for an hour; on the paths below it is 403.",
      params: linkParams,
      result: linkedOrderRule,
      errors: ["NOT_FOUND"],
      http: linkRoutes("GET", ""),
    },
    lookUp: {
      summary: "Find an order by its number and the buyer's email address or postal code",
      description:
        "If both are right, the answer has the token of a link that shows the order for an hour and changes nothing. " +
        "Otherwise the answer is the same for every guess, and if one is right, a link is mailed to the order's address, at " +
        "most once in 15 minutes. An order number takes six requests an hour, as does an email address, or a postal code " +
        "from one client; a client takes thirty. With SMTP_URL=off, both are needed, and any wrong guess is 404.",
      params: {
        orderNumber: string({ min: 1, max: 40, example: "ORD-20261121-000042" }),
        email: { ...contactEmailRule, optional: true },
        postalCode: string({ personal: true, min: 1, max: 30, optional: true, example: "94080" }),
      },
      result: object("OrderLookUp", {
        token: string({
          nullable: true,
          description: "Token that shows the order (GET /api/orders/by-link/{token}); null if mailed",
        }),
      }),
      errors: ["VALIDATION_FAILED", "NOT_FOUND", "SERVICE_UNAVAILABLE"],
      http: [{ ...open, method: "POST", path: "/api/orders/look-up", guestStorage: { copies: 0, bytes: 1_000 } }],
    },
    sendLink: {
      summary: "Email the buyer a link to an order that is open here",
      description: "For a token of a look-up, which changes nothing. Mailed at most once in 15 minutes.",
      params: linkParams,
      result: object({}),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      idempotent: true,
      http: linkRoutes("POST", "/mail", { status: 202, guestStorage: { copies: 0, bytes: 500 } }),
    },
    cancelByLink: {
      summary: "Cancel an order by its link and refund what was paid",
      description: "Works as it does for the order's owner.",
      params: { ...linkParams, reason: reasonRule },
      result: cancelledOrderRule,
      errors: CANCEL_ERRORS,
      timeout: 30_000,
      once: true,
      http: linkRoutes("POST", "/cancel"),
    },
    setAddressByLink: {
      summary: "Set the address of an order by its link",
      description: "Works as it does for the order's owner.",
      params: { ...linkParams, shippingAddress: shippingAddressRule },
      result: orderRule,
      ...addressing,
      errors: ["FORBIDDEN", ...addressing.errors],
      http: linkRoutes("PUT", "/shipping-address"),
    },
    invoiceByLink: {
      summary: "Read an order's invoice by its link (PDF)",
      ...file,
      errors: ["NOT_FOUND", "FORBIDDEN", "VERSION_CONFLICT"],
      params: { ...linkParams, ...fileParams },
      http: linkRoutes("GET", "/invoice.pdf", paper),
    },

    invoiceForOwner: {
      summary: "Read the invoice of your own order (PDF)",
      ...file,
      errors: ["NOT_FOUND", "FORBIDDEN", "VERSION_CONFLICT"],
      http: [{ ...open, ...paper, access: "user", path: "/api/orders/{orderId}/invoice.pdf" }],
    },
    packingSlip: {
      summary: "Read an order's packing slip (PDF)",
      description: "Shows address, shipping method and the pieces to pack with their shelves, without prices.",
      ...file,
      http: admin("GET", "/{orderId}/packing-slip.pdf", paper),
    },
    packingSlips: {
      summary: "Read the packing slips of several orders (PDF)",
      description: "In the order of the ids. Orders without pieces to pack are named on the last page.",
      ...file,
      params: { orderIds: orderIdsParam, ...fileParams },
      errors: ["NOT_FOUND"],
      timeout: 30_000,
      http: admin("GET", "/packing-slips.pdf", paper),
    },
    shipmentSlip: {
      summary: "Read the packing slip of a shipment (PDF)",
      description: "Shows the pieces of that shipment, without prices.",
      ...file,
      params: { ...shipmentParams, ...fileParams },
      http: admin("GET", "/{orderId}/shipments/{shipmentId}/packing-slip.pdf", paper),
    },
    invoice: {
      summary: "Read an order's invoice (PDF)",
      description: "Includes refunds to date.",
      ...file,
      http: admin("GET", "/{orderId}/invoice.pdf", paper),
    },

    export: { ...orderExport, params: { ...orderExport.params, ...chosenOrders } },
    exportLines: { ...lineExport, params: { ...lineExport.params, ...chosenOrders } },

    createFromPayment: {
      summary: "Create the order of a completed payment",
      description:
        "Creates exactly one order for a paymentKey, even if calls race: the others get it with created false. `order` is " +
        "the payload of order.created. A deleted account's userId is replaced by its pseudonym.",
      params: {
        paymentKey: string({ min: 1 }),
        sessionId: string({ nullable: true }),
        paymentIntentId: string({ nullable: true }),
        cartId: string({ nullable: true }),
        hold: string({ optional: true, description: "Key of the checkout's hold on the stock" }),
        stockUnconfirmed: boolean({
          optional: true,
          description: "The stock was unknown, so the order gets a note for staff",
        }),
        ...orderedFields,
        paymentStatus: oneOf(["paid", "pending"]),
        shippingUnderpaid: shippingUnderpaidRule,
      },
      result: object({
        orderId: string(),
        orderNumber: string(),
        created: boolean(),
        order: placedOrderRule,
      }),
      errors: [],
      idempotent: true,
      timeout: 30_000,
    },
    setTaxes: {
      summary: "Record what an order's tax consists of, as the payment provider reports it later",
      description: "Without `taxes`, adds a note that the provider did not report them.",
      params: { paymentKey: string(), taxes: orderedFields.taxes },
      result: object({}),
      errors: ["VERSION_CONFLICT"],
      idempotent: true,
    },
    applyPayment: {
      summary: "Apply the payment provider's report to an order",
      description:
        "Safe to repeat, and in any order: a failure after a success and a lower refundedTotal are stale and " +
        "ignored. kind paid (refunded at once if the order is cancelled) or failed. refunded: the charge's " +
        "cumulative refundedTotal. refund: providerRefundId, amount, the provider's status, and our refundId if its " +
        "metadata names one; a failed one gives its amount back, which stays due if the order is cancelled. dispute: " +
        "disputeId, the provider's status, amount and its currency, reason and dueBy; a late one does not reopen " +
        "what is closed. An order without a paymentIntentId takes the one that is sent with its paymentKey.",
      params: {
        ...paymentRefs,
        change: object({
          kind: oneOf(["paid", "failed", "refunded", "refund", "dispute"]),
          refundedTotal: { ...centsRule, min: 0, optional: true },
          refundId: string({ optional: true }),
          providerRefundId: string({ optional: true }),
          amount: { ...centsRule, min: 0, optional: true },
          disputeId: string({ optional: true }),
          currency: string({ optional: true }),
          reason: string({ max: 50, optional: true }),
          dueBy: string({ optional: true, description: "ISO 8601" }),
          status: string({ max: 50, optional: true, description: "Of a refund or a dispute" }),
        }),
        actor: string({ default: "payment-provider" }),
      },
      result: object({ orderId: string({ nullable: true }), changed: boolean() }),
      errors: ["VALIDATION_FAILED"],
      idempotent: true,
    },
    receiveParcelNews: {
      summary: "Receive an event from EasyPost",
      description:
        "Checks `X-Hmac-Signature` over the exact body by EASYPOST_WEBHOOK_SECRET; without that setting the answer is " +
        "404. A parcel whose label the shop bought is marked as delivered, and its order with the last of its parcels. " +
        "A parcel that comes back or cannot be delivered leaves staff a note. A repeat changes nothing; other events " +
        "are acknowledged and dropped.",
      params: { body: string({ max: 1_000_000 }), headers: record(string(), string()) },
      result: object("ParcelNewsReceipt", { received: boolean() }),
      errors: ["INVALID_SIGNATURE", "INVALID_JSON", "NOT_FOUND"],
      audit: { object: "order", by: "shipping-provider" },
      http: [
        {
          method: "POST",
          path: "/webhooks/easypost",
          entries: ["payment"],
          access: "none",
          envelope: false,
          body: "raw",
          headers: ["x-hmac-signature"],
          examples: {
            "application/json": {
              object: "Event",
              description: "tracker.updated",
              result: {
                object: "Tracker",
                status: "delivered",
                shipment_id: "shp_1a2b",
                tracking_code: "EZ4000004000",
              },
            },
            "x-hmac-signature": "hmac-sha256-hex=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
          },
        },
      ],
    },
    forMail: {
      summary: "Read what an order's emails say",
      params: orderParams,
      result: object(mailedFields),
      errors: ["NOT_FOUND"],
      idempotent: true,
    },
    findByPayment: {
      summary: "Find the order of a payment, for other services",
      params: paymentRefs,
      result: object({
        order: object(
          {
            orderId: string(),
            orderNumber: string(),
            userId: string(),
            status: statusRule,
            paymentStatus: paymentStatusRule,
            placed: { ...placedOrderRule, description: "The payload of order.created" },
          },
          { nullable: true },
        ),
      }),
      errors: [],
      idempotent: true,
    },
  },
  channels: orderEvents,
  tasks: {
    "order.label": {
      summary: "Goes on with a label that is being bought, and has voided ones refunded",
      payload: { orderId: string() },
    },
    "order.news": {
      summary: "Announces what counts changed of an order, once they can no longer be corrected",
      payload: { orderId: string() },
    },
  },
});
