import { paginationRule, pagingParams } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, object, oneOf, sentBack, string } from "@partline/api-contracts";
import { createRoutes } from "../shared/routes.ts";

const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;

/** Secret of Standard Webhooks: 24 to 64 bytes of strict Base64, because libraries read other forms differently. */
const SECRET =
  /^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$/;

const endpointIdRule = string({ max: 100, example: "we_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
const messageIdRule = string({ max: 100, example: "msg_pRz1pZ9Qe0c5oV2yqk3T8w" });

const urlRule = string({
  max: 2_000,
  pattern: /^https?:\/\/[\x21-\x7e]+$/,
  words: "an http(s) URL",
  format: "uri",
  example: "https://erp.example/hooks/partline",
  description:
    "https, at a public address, without credentials or fragment. Outside production, also http to a loopback address",
});

const eventTypesRule = array(string({ max: 100, example: "order.created" }), {
  min: 1,
  max: 100,
  description: "Channels of durable events that are recorded (docs/reference/events.md, /asyncapi.json)",
});

const secretRule = string({
  max: 100,
  pattern: SECRET,
  words: "`whsec_` and 24 to 64 bytes in base64",
  description: "`whsec_` and 24 to 64 bytes in base64; generated unless given",
  optional: true,
});

const endpointParam = { endpointId: endpointIdRule };

const endpointFields = {
  ...endpointParam,
  url: string({ example: urlRule.example }),
  eventTypes: array(string({ example: "order.created" })),
  description: string({ optional: true, example: "The ERP" }),
  ordered: boolean({
    description: "Sends the events of an aggregate (an order) in sequence, each after the previous one was delivered",
  }),
  disabled: boolean(),
  disabledReason: oneOf(["by_admin", "failing", "gone", "maker_ended"], {
    optional: true,
    description:
      "failing: no attempt succeeded for five days; gone: the receiver answered 410; maker_ended: the key that " +
      "created it was revoked, or the person who created it may no longer change webhooks",
  }),
  createdBy: string({
    optional: true,
    example: "key:key_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
    description: "Who created it, as in the audit stream; after `maker_ended`, who enabled it again",
  }),
  failingSince: date({
    optional: true,
    description: "No attempt has succeeded since then; after 5 days the endpoint is disabled",
  }),
  secretExpiresAt: date({
    optional: true,
    description: "Until then, requests are also signed with the previous secret",
  }),
  createdAt: date(),
  updatedAt: date(),
} as const;

export const endpointRule = object("WebhookEndpoint", endpointFields);

const endpointWithSecretRule = object("WebhookEndpointWithSecret", {
  ...endpointFields,
  secret: string({
    description: "Shown here alone",
    example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  }),
});

const deliveryFields = {
  messageId: messageIdRule,
  type: string({ example: "order.created" }),
  occurredAt: date({ description: "When the event happened" }),
  state: oneOf(DELIVERY_STATES, {
    description: "failed: given up after the last retry, or because the endpoint is disabled or no longer has the type",
  }),
  attempts: integer({ description: "How often it was sent" }),
  nextAttemptAt: date({ optional: true }),
  deliveredAt: date({ optional: true }),
} as const;

export const deliveryRule = object("WebhookDelivery", deliveryFields);

export const attemptRule = object("WebhookAttempt", {
  attemptedAt: date(),
  outcome: oneOf(["delivered", "failed"]),
  status: integer({ optional: true, description: "Status of the response; absent without one" }),
  reason: string({ optional: true, description: "Why it failed", example: "No whole answer within 10 s" }),
  durationMs: integer(),
  answer: string({
    optional: true,
    description: "The first 4 kB of the response body; absent if personal data was sent, which the body may repeat",
  }),
});

const deliveryWithAttemptsRule = object("WebhookDeliveryWithAttempts", {
  ...deliveryFields,
  log: array(attemptRule, { description: "The latest 100 attempts of the last 30 days, newest first" }),
});

const entries = ["payment", "gateway"] as const;
const route = createRoutes("webhooks", { entries, access: "admin-token", envelope: true, base: "/api/admin/webhooks" });
const ONE = "/{endpointId}";

const audited = { object: "webhook-endpoint", id: "endpointId" } as const;
const endpointAudit = { ...audited, read: "getEndpoint" } as const;

const deliveryParams = { ...endpointParam, messageId: messageIdRule };
const descriptionParam = string({ max: 500, optional: true, example: "The ERP" });

export const webhookContract = defineService({
  name: "webhook",
  summary: "Webhooks to other systems: durable events, signed as Standard Webhooks defines",
  guestOf: entries,
  actions: {
    listEndpoints: {
      summary: "List the endpoints",
      description: "Oldest first, without their secrets.",
      params: pagingParams,
      result: object("WebhookEndpointList", { endpoints: array(endpointRule), pagination: paginationRule }),
      errors: [],
      http: route("GET", ""),
    },
    createEndpoint: {
      summary: "Add an endpoint",
      description:
        "It receives events from now on. Only this answer has its secret. The caller also needs the scopes to read such " +
        "events: `orders:read` for orders, else `events:read`, and `users:read` for personal data.",
      params: {
        url: urlRule,
        eventTypes: eventTypesRule,
        description: descriptionParam,
        ordered: boolean({ default: false }),
        disabled: boolean({ default: false }),
        secret: secretRule,
      },
      result: endpointWithSecretRule,
      errors: ["VALIDATION_FAILED"],
      once: true,
      audit: endpointAudit,
      http: route("POST", "", { status: 201 }),
    },
    getEndpoint: {
      summary: "Read an endpoint",
      params: endpointParam,
      result: endpointRule,
      errors: ["NOT_FOUND"],
      http: route("GET", ONE),
    },
    updateEndpoint: {
      summary: "Change an endpoint, disable it or enable it again",
      description: "Events that a disabled endpoint misses are listed as failed, and can be replayed.",
      params: sentBack(endpointFields, {
        ...endpointParam,
        url: { ...urlRule, optional: true },
        eventTypes: { ...eventTypesRule, optional: true },
        description: descriptionParam,
        ordered: boolean({ optional: true }),
        disabled: boolean({ optional: true }),
      }),
      result: endpointRule,
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      audit: endpointAudit,
      http: route("PATCH", ONE),
    },
    deleteEndpoint: {
      summary: "Delete an endpoint",
      description: "Nothing more is sent to it, not even retries.",
      params: endpointParam,
      result: object({ ...endpointParam, deleted: boolean() }),
      errors: ["NOT_FOUND"],
      idempotent: true,
      audit: endpointAudit,
      http: route("DELETE", ONE),
    },
    rotateSecret: {
      summary: "Rotate an endpoint's secret",
      description: "Until they expire, earlier secrets sign too: a lost answer can be asked for again. At most five.",
      params: {
        ...endpointParam,
        secret: secretRule,
        overlapHours: integer({
          min: 0,
          max: 168,
          default: 24,
          description: "How long the previous secret stays valid; 0 ends all previous ones",
        }),
      },
      result: endpointWithSecretRule,
      errors: ["NOT_FOUND"],
      once: true,
      audit: { ...audited, report: ["overlapHours"] },
      http: route("POST", `${ONE}/secret`),
    },
    listDeliveries: {
      summary: "List the deliveries of an endpoint",
      description: "Covers the last 30 days, newest first.",
      params: { ...endpointParam, state: oneOf(DELIVERY_STATES, { optional: true }), ...pagingParams },
      result: object("WebhookDeliveryList", { deliveries: array(deliveryRule), pagination: paginationRule }),
      errors: ["NOT_FOUND"],
      http: route("GET", `${ONE}/deliveries`),
    },
    getDelivery: {
      summary: "Read a delivery with its attempts",
      params: deliveryParams,
      result: deliveryWithAttemptsRule,
      errors: ["NOT_FOUND"],
      http: route("GET", `${ONE}/deliveries/{messageId}`),
    },
    findEndpoints: {
      summary: "Find the endpoints that a key or a member of staff created",
      params: { maker: string({ max: 300 }) },
      result: object({ endpointIds: array(string()) }),
      errors: [],
      idempotent: true,
    },
    sendTest: {
      summary: "Send a test event to an endpoint",
      description: "`webhook.test` with the endpointId: signed, delivered, retried and listed like any other.",
      params: endpointParam,
      result: deliveryRule,
      errors: ["NOT_FOUND", "INVALID_TRANSITION"],
      once: true,
      audit: { ...audited, report: ["messageId"] },
      http: route("POST", `${ONE}/test`, { status: 202 }),
    },
    replayDelivery: {
      summary: "Send a delivery again",
      description: "Sends it with the same webhook-id, even if it was delivered.",
      params: deliveryParams,
      result: deliveryRule,
      errors: ["NOT_FOUND", "INVALID_TRANSITION"],
      once: true,
      audit: { ...audited, report: ["messageId"] },
      http: route("POST", `${ONE}/deliveries/{messageId}/replay`, { status: 202 }),
    },
    replayDeliveries: {
      summary: "Replay failed deliveries, or all of a period",
      description: "The period is that of the events. Waiting retries are sent now too, all in the background.",
      params: {
        ...endpointParam,
        state: oneOf(["failed", "all"], { default: "failed", description: "`all` needs `from`" }),
        from: date({ optional: true }),
        to: date({ optional: true, description: "Not included" }),
      },
      result: object("WebhookReplay", {
        replayId: string({ example: "rep_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }),
        deliveries: integer({ description: "How many deliveries will be sent" }),
      }),
      errors: ["NOT_FOUND", "VALIDATION_FAILED", "INVALID_TRANSITION"],
      once: true,
      audit: { ...audited, report: ["state", "from", "to", "deliveries"] },
      http: route("POST", `${ONE}/replay`, { status: 202 }),
    },
  },
  channels: {
    "webhook.disabled": {
      summary: "An endpoint was disabled: no attempt succeeded for 5 days, or its receiver is gone (410)",
      recorded: { aggregate: "webhook", prefixes: ["we_"], id: ["endpointId"] },
      payload: {
        endpointId: string(),
        host: string({ description: "Of its URL", example: "erp.example" }),
        failingSince: string({ description: "ISO 8601" }),
      },
    },
  },
  tasks: {
    "webhook.deliver": {
      summary: "Sends a delivery, or an ordered endpoint's deliveries of an aggregate in their order",
      payload: { endpointId: string(), deliveryId: string({ optional: true }), lane: string({ optional: true }) },
    },
    "webhook.replay": {
      summary: "Sends deliveries of an endpoint again",
      payload: {
        replayId: string(),
        endpointId: string(),
        state: oneOf(["failed", "all"]),
        from: string({ optional: true, description: "ISO 8601" }),
        to: string({ description: "ISO 8601" }),
      },
    },
  },
});
