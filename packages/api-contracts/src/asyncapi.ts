import type { DurableEvents, EventDefinition } from "./contract.ts";
import type { Examples } from "./examples.ts";
import { type Json, type JsonSchema, SchemaWriter } from "./json-schema.ts";
import { date, integer, object, oneOf, type Rules, string } from "./rules.ts";

interface AsyncApiInput {
  channels: DurableEvents;
  info: { title: string; version: string; description: string; license: { name: string } };
  /** What the house says of webhooks. */
  webhooks: string;
  /** Where the events of a channel are published. */
  names: { events: string; toEventSubject(channel: string): string };
  examples: Examples;
}

/** The AsyncAPI 3 description of the durable events, from the contracts alone. */
export function createAsyncApiDocument({ channels, info, webhooks, names, examples }: AsyncApiInput) {
  const schemas = new SchemaWriter();
  const events = [...channels];
  const hooks = events.filter(([, { recorded }]) => recorded !== null);
  const payloads: Record<string, JsonSchema> = Object.fromEntries(
    events.map(([channel, { payload }]) => [channel, schemas.writeFields(payload, "output")]),
  );
  return {
    asyncapi: "3.1.0",
    info: {
      ...info,
      tags: [
        { name: "bus", description: "Over JetStream, for programs beside the system" },
        { name: "webhooks", description: "Over HTTP, for other systems" },
      ],
    },
    defaultContentType: "application/json",
    servers: {
      nats: { host: "127.0.0.1:4222", protocol: "nats", description: "NATS_URL of the system" },
      receiver: { host: "erp.example", protocol: "https", description: "The URL of an endpoint" },
    },
    channels: {
      ...Object.fromEntries(
        events.map(([channel, { summary }]) => [
          channel,
          {
            address: names.toEventSubject(channel),
            title: channel,
            description: `${summary}. In the stream \`${names.events}\`.`,
            servers: [createRef("servers", "nats")],
            messages: { event: createRef("components", "messages", channel) },
            tags: [{ name: "bus" }],
          },
        ]),
      ),
      webhooks: {
        address: null,
        title: "Webhooks",
        description: webhooks,
        servers: [createRef("servers", "receiver")],
        messages: Object.fromEntries(
          hooks.map(([channel]) => [channel, createRef("components", "messages", toHookName(channel))]),
        ),
        tags: [{ name: "webhooks" }],
      },
    },
    operations: {
      ...Object.fromEntries(
        events.map(([channel, { summary }]) => [
          `send ${channel}`,
          { action: "send", summary, channel: createRef("channels", channel), tags: [{ name: "bus" }] },
        ]),
      ),
      "send webhooks": {
        action: "send",
        summary: "Sends an event to an endpoint that has its type",
        channel: createRef("channels", "webhooks"),
        bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
        tags: [{ name: "webhooks" }],
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          events.map(([channel, event]) => [channel, createBusMessage(channel, event, { schemas, examples })]),
        ),
        ...Object.fromEntries(
          hooks.map(([channel, event]) => [
            toHookName(channel),
            createHookMessage(channel, event, { schemas, examples }),
          ]),
        ),
      },
      schemas: openSchema({ ...schemas.listComponents(), ...payloads }) as Record<string, Json>,
    },
  };
}

interface Tools {
  schemas: SchemaWriter;
  examples: Examples;
}

function createBusMessage(channel: string, event: EventDefinition, tools: Tools): Json {
  const { version = 1 } = event;
  const envelope = {
    v: oneOf([version]),
    event_id: string({ description: "The same for a repeat" }),
    channel: oneOf([channel]),
    occurred_at: date(),
  };
  const example = { v: version, event_id: EXAMPLE_ID, channel, occurred_at: EXAMPLE_TIME };
  return createMessage(channel, event, tools, { envelope, example, inside: "payload" });
}

function createHookMessage(channel: string, event: EventDefinition, tools: Tools): Json {
  const { version = 1 } = event;
  const envelope = { type: oneOf([channel]), version: oneOf([version]), timestamp: date() };
  const headers = object({
    "webhook-id": string({ description: "The same for a repeat", example: "msg_pRz1pZ9Qe0c5oV2yqk3T8w" }),
    "webhook-timestamp": integer({ description: "Of the attempt, seconds since 1970", example: 1_764_064_800 }),
    "webhook-signature": string({ description: "`v1,` and the signature; two while a secret is rotated" }),
  });
  const example = { type: channel, version, timestamp: EXAMPLE_TIME };
  return {
    ...createMessage(channel, event, tools, { envelope, example, inside: "data" }),
    headers: openSchema(tools.schemas.of(headers, "output")),
  };
}

const EXAMPLE_ID = "01JD8V2M9Q4Z6T8XKX2W3Y4Z5A";
const EXAMPLE_TIME = "2026-11-21T09:30:00.000Z";

/** @param parts the field with the event's own fields, and the fields beside it */
function createMessage(
  channel: string,
  event: EventDefinition,
  { schemas, examples }: Tools,
  { envelope, example, inside }: { envelope: Rules; example: Json; inside: "payload" | "data" },
): Json {
  const { properties, required } = schemas.writeFields(envelope, "output") as { properties: Json; required: string[] };
  return {
    name: channel,
    title: channel,
    summary: event.summary,
    contentType: "application/json",
    payload: {
      type: "object",
      properties: { ...properties, [inside]: createRef("components", "schemas", channel) },
      required: [...required, inside],
    },
    examples: [
      { name: channel, payload: { ...example, [inside]: examples.createFieldsExample(event.payload, "output") } },
    ],
  };
}

function toHookName(channel: string): string {
  return `webhook.of.${channel}`;
}

function createRef(...path: string[]): { $ref: string } {
  return { $ref: `#/${path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}` };
}

/** A reader of events takes fields that are added later. */
function openSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openSchema);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !(keyword === "additionalProperties" && value === false))
      .map(([keyword, value]) => [keyword, openSchema(value)]),
  );
}
