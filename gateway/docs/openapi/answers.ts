import {
  type StreamedAnswer,
  type Json,
  type JsonSchema,
  type SchemaWriter,
  findStreamedEvent,
} from "@partline/api-contracts";
import { createExample } from "../examples.ts";
import type { Route } from "../../http/routes.ts";
import { wrapInEnvelope, refToHeader, createJsonResponse, REQUEST_ID } from "./responses.ts";

/** A file's or stream's result is not the client's answer. */
export function createSuccessResponses({ definition: { result, once }, http }: Route, schemas: SchemaWriter): Json {
  switch (http.answer) {
    case "file":
      return createFileResponses(http.produces ?? []);
    case "pages":
      return {
        200: {
          description: "Sent as it is read; if it cannot be finished, the connection is cut",
          headers: REQUEST_ID,
          content: Object.fromEntries((http.produces ?? []).map((type) => [type, {}])),
        },
      };
    case "event-stream":
      return { 200: createEventStreamResponse(schemas.of(findStreamedEvent(result)!, "output")), 204: STREAM_IS_OVER };
    case "json":
    case undefined: {
      const schema = schemas.of(result, "output");
      const example = createExample(result, "output");
      const answer = http.envelope
        ? createJsonResponse(describeStatus(http.status), wrapInEnvelope(schema), { success: true, data: example })
        : createJsonResponse(describeStatus(http.status), schema, example);
      if (once) answer.headers = { ...answer.headers, "Idempotent-Replayed": refToHeader("IdempotentReplayed") };
      return { [http.status ?? 200]: http.streamed ? withStream(answer, http.streamed, schemas) : answer };
    }
  }
}

function describeStatus(status: Route["http"]["status"]): string {
  if (status === 201) return "Created";
  return status === 202 ? "Accepted: the work continues in the background" : "Success";
}

const createHeader = (description: string, schema: Json = { type: "string" }): Json => ({ description, schema });

export const FILE_REQUEST_HEADERS: Json[] = [
  ["If-Match", "An ETag, or several: 412 when the file has none of them", "*"],
  ["If-None-Match", "An ETag, or several: 304 when the file still has one of them", '"n4bQgYhMfWWaL-qgxVrQ"'],
  ["Range", "A part of the file, as 206. A request for several ranges returns the whole file", "bytes=0-1023"],
  ["If-Range", "An ETag: the range counts only while the file has it", '"n4bQgYhMfWWaL-qgxVrQ"'],
].map(([name, description, example]) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", examples: [example] },
}));

const FILE_HEADERS: Json = {
  ...REQUEST_ID,
  ETag: createHeader("Strong: made from the content"),
  "Cache-Control": createHeader("How long it may be kept"),
};

function createFileResponses(types: readonly string[]): Json {
  const content = Object.fromEntries(types.map((type) => [type, {}]));
  const wholeFileHeaders = {
    ...FILE_HEADERS,
    "Accept-Ranges": createHeader("Ranges can be asked for", { const: "bytes" }),
  };
  return {
    200: { description: "The file", headers: wholeFileHeaders, content },
    206: {
      description: "The part that was asked for",
      headers: { ...wholeFileHeaders, "Content-Range": createHeader("Which part, and of how many bytes") },
      content,
    },
    304: { description: "The file is the one that the client has", headers: FILE_HEADERS },
  };
}

export const EVENT_STREAM_HEADERS: Json[] = [
  {
    name: "Last-Event-ID",
    in: "header",
    required: false,
    description: "The id of the client's last event: the stream continues after it. Overrides `after`",
    schema: { type: "string", pattern: "^[0-9]{0,15}$", examples: ["12"] },
  },
];

function withStream(answer: Json, { events }: StreamedAnswer, schemas: SchemaWriter): Json {
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

const STREAM_IS_OVER: Json = {
  description:
    "The stream has ended, and nothing comes after the client's last event. Browsers do not come back after it",
  headers: REQUEST_ID,
};

function createEventStreamResponse(event: JsonSchema): Json {
  return {
    description:
      "Server-sent events: the `data` of each is a JSON text of this schema, its `id` is the position. The " +
      "stream ends after 15 minutes; a client that returns with its last id continues there",
    headers: REQUEST_ID,
    content: {
      "text/event-stream": { schema: { type: "string", contentMediaType: "text/event-stream", contentSchema: event } },
    },
  };
}
