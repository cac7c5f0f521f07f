import { randomInt } from "node:crypto";

/**
 * Names an address that no other client of a shared system has, as a proxy would: what a suite asks for leaves the
 * budgets of the others alone. The shared systems trust it; others, which trust no proxy, do not read it.
 */
export function nameClient(): { "X-Forwarded-For": string } {
  // 198.18.0.0/15 is for tests: RFC 2544.
  return { "X-Forwarded-For": `198.${18 + randomInt(2)}.${randomInt(256)}.${randomInt(256)}` };
}
