import { type Attributes, getCurrentScope, type Span } from "@partline/toolkit";
import type { EventOrigin } from "./port.ts";

/** The origin of an event that is written now; none outside of a request. */
export function getOrigin(channel: string, eventId: string): { origin?: EventOrigin } {
  const scope = getCurrentScope();
  if (!scope) return {};
  const { requestId: request_id, span } = scope;
  return { origin: span ? { request_id, traceparent: writeCreateSpan(span, channel, eventId) } : { request_id } };
}

/** Writes the span that the event's later handling links to. */
function writeCreateSpan(span: Span, channel: string, eventId: string): string {
  const createSpan = span.startChild(`create ${channel}`, {
    kind: "producer",
    attributes: createMessagingAttributes("create", channel, eventId),
  });
  createSpan.end();
  return createSpan.traceparent;
}

/** Creates attributes by the semantic conventions for messaging. */
export function createMessagingAttributes(
  operation: "create" | "process",
  channel: string,
  eventId: string,
): Attributes {
  return {
    "messaging.system": "partline",
    "messaging.operation.type": operation,
    "messaging.operation.name": operation,
    "messaging.destination.name": channel,
    "messaging.message.id": eventId,
  };
}
