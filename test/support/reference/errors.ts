import { ERROR_CATALOGUE } from "../../../mixins/errors.ts";
import { pageOf, table } from "./page.ts";

const INTRODUCTION = `\`{ "success": false, "error": { "code", "message", "details"? } }\`. The message of a 400 names the field, and \`details\` lists them all. The parts desk answers \`{ "detail" }\`; the InstantSearch route adds \`message\` and \`status\` beside the error.

A request whose error can be retried may be sent again unchanged, after \`Retry-After\` if the response has it. After 503 nothing was changed, with two exceptions: a webhook may already be queued, and an import keeps the rows written so far. After 504 the request may have been done, or may yet be.`;

export function errorsPage(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(([code, { status, retryable, meaning }]) => [
    String(status),
    `\`${code}\``,
    meaning,
    retryable ? "yes" : "no",
  ]);
  return pageOf("Errors", "mixins/errors.ts", INTRODUCTION, table(["status", "code", "meaning", "retry"], rows));
}
