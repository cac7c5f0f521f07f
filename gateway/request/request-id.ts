import { randomUUID } from "node:crypto";

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's X-Request-Id when it is harmless to log and to send on, a new one otherwise. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === "string" && ACCEPTED.test(header) ? header : randomUUID();
}
