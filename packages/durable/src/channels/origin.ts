import { type Attributes, currentScope, type Span } from "@partline/toolkit";
import type { EventOrigin } from "./port.ts";

/** The origin of an event that is written now; none outside of a request. */
export function originOf(channel: string, eventId: string): { origin?: EventOrigin } {
  const scope = currentScope();
  if (!scope) return {};
  const { requestId: request_id, span } = scope;
  return { origin: span ? { request_id, traceparent: writtenIn(span, channel, eventId) } : { request_id } };
}

/** Writes the span that the event's later handling links to. */
function writtenIn(span: Span, channel: string, eventId: string): string {
  const written = span.startChild(`create ${channel}`, {
    kind: "producer",
    attributes: messagingAttributes("create", channel, eventId),
  });
  written.end();
  return written.traceparent;
}

/** By the semantic conventions for messaging. */
export function messagingAttributes(operation: "create" | "process", channel: string, eventId: string): Attributes {
  return {
    "messaging.system": "partline",
    "messaging.operation.type": operation,
    "messaging.operation.name": operation,
    "messaging.destination.name": channel,
    "messaging.message.id": eventId,
  };
}
