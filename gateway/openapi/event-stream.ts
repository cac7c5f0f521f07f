import type { JsonSchema } from "./schema.ts";

type Json = Record<string, unknown>;

export const EVENT_STREAM_HEADERS: Json[] = [
  {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "The id of the last event that the client has: the stream goes on after it. Counts more than `after`",
    schema: { type: "string", pattern: "^[0-9]{0,15}$" },
  },
];

/** The answer of a route that is an event stream; `event` is what the `data` of each is. */
export function eventStreamResponse(event: JsonSchema): Json {
  return {
    description:
      "Server-sent events: the `data` of each is a JSON text that fits this schema, its `id` is the position. The stream ends after a quarter of an hour, and goes on " +
      "where the client comes back with its last id",
    headers: { "X-Request-Id": { $ref: "#/components/headers/RequestId" } },
    content: { "text/event-stream": { schema: { type: "string", contentMediaType: "text/event-stream", contentSchema: event } } },
  };
}
