import { type ErrorForm, MOST_ERRORS } from "@partline/api-contracts";
import { ERROR_CATALOGUE, errorCode, type ErrorCode, type FieldProblem } from "../../mixins/errors.ts";
import { isMachineExhausted } from "@partline/toolkit";

interface HttpError {
  status: number;
  code: ErrorCode;
  message: string;
  details?: unknown;
  headers: Readonly<Record<string, string>>;
  /** A fault of ours, for the log. */
  unexpected: boolean;
}

/** Seconds. */
const RETRY_AFTER = "1";

/** Moleculer's own errors by `type`, else by `name`: their classes are lost between nodes. */
const BROKER_ERRORS: Record<string, ErrorCode> = {
  SERVICE_NOT_FOUND: "SERVICE_UNAVAILABLE",
  SERVICE_NOT_AVAILABLE: "SERVICE_UNAVAILABLE",
  // The node went away with it: it may have been done.
  REQUEST_REJECTED: "TIMEOUT",
  BAD_GATEWAY: "SERVICE_UNAVAILABLE",
  ServiceUnavailableError: "SERVICE_UNAVAILABLE",
  REQUEST_TIMEOUT: "TIMEOUT",
  REQUEST_SKIPPED: "TIMEOUT",
};

/** Codes by the `name` of a port's UNAVAILABLE, with a message if it is not the code's. */
const UNAVAILABLE: Record<string, { code: ErrorCode; message?: string }> = {
  DocumentStoreError: { code: "DATABASE_UNAVAILABLE" },
  EventLogError: { code: "DATABASE_UNAVAILABLE" },
  ObjectStoreError: { code: "SERVICE_UNAVAILABLE", message: "The object store is unavailable" },
  SearchIndexError: { code: "SERVICE_UNAVAILABLE", message: "The index that this needs is unavailable" },
};

/** Messages that replace those with names of nodes or addresses. */
const PLAIN_MESSAGES: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: "Something went wrong on our side",
  DATABASE_UNAVAILABLE: "The database is unavailable",
  TIMEOUT: "There was no answer in time",
};

const NOT_RUNNING = "A part of the system that this needs is not running";
const COME_BACK = `try again in ${RETRY_AFTER} second`;

/**
 * Turns anything thrown into a status and an error of the catalogue.
 * @param action of the route; a failed params check of any other is a fault of ours
 */
export function toHttpError(error: unknown, action?: string): HttpError {
  const thrown = asRecord(error);
  const ownCode = errorCode(thrown);
  if (ownCode) return createHttpError(ownCode, PLAIN_MESSAGES[ownCode] ?? String(thrown.message), thrown.data);
  const away = thrown.code === "UNAVAILABLE" ? UNAVAILABLE[String(thrown.name)] : undefined;
  if (away) return createHttpError(away.code, away.message);
  if (isMachineExhausted(thrown))
    return createHttpError(
      "SERVICE_UNAVAILABLE",
      "The disk is full or cannot be written, or the process has too many files open",
    );
  if (thrown.code === "OUTCOME_UNKNOWN") return createHttpError("TIMEOUT");
  if (thrown.type === "VALIDATION_ERROR" && Array.isArray(thrown.data)) {
    const problems = thrown.data.map(asRecord);
    if (problems.every((problem) => problem.action === action)) return createParamsError(problems);
  }
  // Params whose JSON is longer than what was sent (1e20) do not fit a message; with a nodeID it is that node's answer.
  if (thrown.code === "MAX_PAYLOAD_EXCEEDED" && thrown.nodeID === undefined)
    return createHttpError("PAYLOAD_TOO_LARGE");
  if (thrown.type === "QUEUE_FULL") return createHttpError("SERVICE_UNAVAILABLE", explainOverload(thrown, action));
  const code = BROKER_ERRORS[String(thrown.type)] ?? BROKER_ERRORS[String(thrown.name)];
  if (code === "SERVICE_UNAVAILABLE") return createHttpError(code, NOT_RUNNING);
  return code ? createHttpError(code) : createHttpError("INTERNAL_ERROR");
}

function explainOverload({ data }: Record<string, unknown>, action: string | undefined): string {
  return asRecord(data).action === action
    ? `Too many requests to this path are under way: ${COME_BACK}`
    : `A part of the system that this needs has too many requests under way: ${COME_BACK}`;
}

/**
 * The envelope; `message`: with the message beside it, for Algolia's clients; `detail`: the AI agent's `{ detail }`.
 */
export function createErrorBody(
  { status, code, message, details }: Pick<HttpError, "status" | "code" | "message" | "details">,
  form: ErrorForm,
): unknown {
  if (form === "detail") return { detail: message };
  const envelope = { success: false, error: { code, message, details: details ?? undefined } };
  return form === "message" ? { ...envelope, message, status } : envelope;
}

function createHttpError(
  code: ErrorCode,
  message = PLAIN_MESSAGES[code] ?? ERROR_CATALOGUE[code].meaning,
  details?: unknown,
): HttpError {
  const { status } = ERROR_CATALOGUE[code];
  const unexpected = code === "INTERNAL_ERROR";
  return {
    status,
    code,
    message,
    headers: getErrorHeaders(code, details),
    unexpected,
    details: unexpected ? undefined : details,
  };
}

function getErrorHeaders(code: ErrorCode, details: unknown): Record<string, string> {
  const { retryAfterSeconds } = asRecord(details);
  if (typeof retryAfterSeconds === "number") return { "Retry-After": String(retryAfterSeconds) };
  if (code === "UNAUTHORIZED") return { "WWW-Authenticate": "Bearer" };
  return ERROR_CATALOGUE[code].status === 503 || code === "IDEMPOTENCY_KEY_IN_USE"
    ? { "Retry-After": RETRY_AFTER }
    : {};
}

function createParamsError(findings: Record<string, unknown>[]): HttpError {
  const problems = findings.slice(0, MOST_ERRORS).map(toProblem);
  return createHttpError("VALIDATION_FAILED", problems[0]?.message ?? "The params are not valid", problems);
}

/** Custom checks see `items[].x`, without the index. */
function toProblem({ field, message }: Record<string, unknown>): FieldProblem {
  const path = typeof field === "string" ? field : "";
  return { field: path, message: String(message).replace(/'[^']*\[\][^']*'/, `'${path}'`) };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
