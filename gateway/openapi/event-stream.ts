import type { StreamedAnswer } from "../../broker/contract/define.ts";
import type { JsonSchema, SchemaWriter } from "./schema.ts";

type Json = Record<string, unknown>;

export const EVENT_STREAM_HEADERS: Json[] = [
  {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "The id of the client's last event: the stream continues after it. Overrides `after`",
    schema: { type: "string", pattern: "^[0-9]{0,15}$", examples: ["12"] },
  },
];

export function withStream(answer: Json, { events }: StreamedAnswer, schemas: SchemaWriter): Json {
  const ways = Object.entries(events).map(([event, rule]) => ({ title: event, ...schemas.of(rule, "output") }));
  const stream = { type: "string", contentMediaType: "text/event-stream", contentSchema: { anyOf: ways } };
  return {
    ...answer,
    description: `${String(answer.description)}. With \`Accept: text/event-stream\` server-sent events: ${Object.keys(
      events,
    )
      .map((name) => `\`${name}\``)
      .join(", ")}, the data of each a JSON text`,
    content: { ...(answer.content as Json), "text/event-stream": { schema: stream } },
  };
}

const headers = { "X-Request-Id": { $ref: "#/components/headers/RequestId" } };

export const STREAM_IS_OVER: Json = {
  description:
    "The stream has ended, and nothing comes after the client's last event. Browsers do not come back after it",
  headers,
};

/** The answer of an event stream; `event` is the schema of each `data`. */
export function eventStreamResponse(event: JsonSchema): Json {
  return {
    description:
      "Server-sent events: the `data` of each is a JSON text of this schema, its `id` is the position. The " +
      "stream ends after 15 minutes; a client that returns with its last id continues there",
    headers,
    content: {
      "text/event-stream": { schema: { type: "string", contentMediaType: "text/event-stream", contentSchema: event } },
    },
  };
}
