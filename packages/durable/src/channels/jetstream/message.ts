import type { JsMsg } from "nats";
import type { ClusterSecret } from "../../cluster-secret.ts";
import type { ChannelEvent } from "../port.ts";

export function encodeEvent(event: ChannelEvent): Buffer {
  return Buffer.from(JSON.stringify(event));
}

/** Undefined if it is no event of ours; a reason would quote its payload. */
export function decodeEvent(data: Uint8Array): ChannelEvent | undefined {
  try {
    const event = JSON.parse(Buffer.from(data).toString()) as ChannelEvent & { occurred_at: string };
    if (!Number.isInteger(event.v) || typeof event.event_id !== "string") return undefined;
    return { ...event, occurred_at: new Date(event.occurred_at) };
  } catch {
    return undefined;
  }
}

/** Base64 of what the event's publisher signed: the subject and the event. */
export const SIGNATURE_HEADER = "Partline-Signature";

/** Returns why a message counts as nobody's; undefined if a process of this system sent it. */
export function findRefusal(
  { subject, data, headers }: Pick<JsMsg, "subject" | "data" | "headers">,
  secret: ClusterSecret | undefined,
): "unsigned" | "of another secret" | undefined {
  if (!secret) return undefined;
  const signature = headers?.get(SIGNATURE_HEADER) ?? "";
  if (signature === "") return secret.acceptsUnsigned ? undefined : "unsigned";
  const isValid = secret.isValid(Buffer.from(signature, "base64url"), `${subject}\0`, Buffer.from(data));
  return isValid ? undefined : "of another secret";
}
