import { array, boolean, date, integer, object, oneOf, string } from "../../broker/contract/rules.ts";

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;

/** Of Standard Webhooks: 24 to 64 bytes. Base64 to the letter: libraries differ in what they make of any other. */
const SECRET =
  /^whsec_([A-Za-z0-9+/]{4}){8,20}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}([A-Za-z0-9+/]{2}==)?)?$/;

export const endpointIdRule = string({ max: 100, example: "we_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });
export const messageIdRule = string({ max: 100, example: "msg_pRz1pZ9Qe0c5oV2yqk3T8w" });

export const urlRule = string({
  max: 2_000,
  pattern: /^https?:\/\/[\x21-\x7e]+$/,
  words: "an http(s) URL",
  format: "uri",
  example: "https://erp.example/hooks/partline",
  description:
    "https, without credentials or fragment, of a public address. Outside of production, http to a loopback address too",
});

export const eventTypesRule = array(string({ max: 100, example: "order.created" }), {
  min: 1,
  max: 100,
  description: "Channels of durable events that are recorded (docs/reference/events.md, /asyncapi.json)",
});

export const secretRule = string({
  max: 100,
  pattern: SECRET,
  words: "`whsec_` and 24 to 64 bytes in base64",
  description: "Made by the server unless given: `whsec_` and 24 to 64 bytes in base64",
  optional: true,
});

const endpointFields = {
  endpointId: endpointIdRule,
  url: string({ example: urlRule.example }),
  eventTypes: array(string({ example: "order.created" })),
  description: string({ optional: true, example: "The ERP" }),
  ordered: boolean({
    description: "The events of an aggregate (an order) come one after another, each when the one before was delivered",
  }),
  disabled: boolean(),
  disabledReason: oneOf(["by_admin", "failing"], { optional: true }),
  failingSince: date({ optional: true, description: "No attempt has succeeded since; after 5 days it is disabled" }),
  secretExpiresAt: date({ optional: true, description: "Until then, requests are signed with the secret before too" }),
  createdAt: date(),
  updatedAt: date(),
} as const;

export const endpointRule = object("WebhookEndpoint", endpointFields);

export const endpointWithSecretRule = object("WebhookEndpointWithSecret", {
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
    description: "failed: given up, after the last retry, or as the endpoint is disabled or has the type no more",
  }),
  attempts: integer({ description: "How often it was sent" }),
  nextAttemptAt: date({ optional: true }),
  deliveredAt: date({ optional: true }),
} as const;

export const deliveryRule = object("WebhookDelivery", deliveryFields);

export const attemptRule = object("WebhookAttempt", {
  attemptedAt: date(),
  outcome: oneOf(["delivered", "failed"]),
  status: integer({ optional: true, description: "Of the answer; absent without one" }),
  reason: string({ optional: true, description: "Why it failed", example: "No whole answer within 10 s" }),
  durationMs: integer(),
  answer: string({
    optional: true,
    description: "The first 4 kB of the answer's body; not if data of persons was sent, which it may repeat",
  }),
});

export const deliveryWithAttemptsRule = object("WebhookDeliveryWithAttempts", {
  ...deliveryFields,
  log: array(attemptRule, { description: "The newest 100 attempts of the last 30 days, the newest first" }),
});
