import type { Stripe } from "stripe";
import { notFound, PartlineError } from "../errors.ts";

/**
 * What became of a request to the provider:
 * - `refused`: it was read and turned down; nothing was done, the same request will be turned down again
 * - `failed`: the provider answered with a fault of its own, and answers the same to the same idempotency key
 * - `unreachable`: no answer (time-out, connection); it may or may not have been done, and the same idempotency key
 *   tells which
 * - `busy`: the provider works on a request with the same idempotency key, or on too many of ours; later it will answer
 */
export type ProviderFailure = "refused" | "failed" | "unreachable" | "busy";

interface ProviderErrorDetails {
  provider: "payment";
  reason: ProviderFailure;
  /** The provider's own code, such as `card_declined`; never its message, which may quote what was sent. */
  providerCode?: string;
}

/** Which resource a request names, so that one the provider does not have is 404 and not 502. */
export interface NamedResource {
  what: string;
  id?: string;
}

type ErrorFields = Partial<Pick<Stripe.errors.StripeError, "type" | "rawType" | "code" | "statusCode" | "requestId">>;

const MESSAGES: Record<ProviderFailure, string> = {
  refused: "The payment provider refused the request",
  failed: "The payment provider failed",
  unreachable: "The payment provider did not answer",
  busy: "The payment provider is busy with requests of ours",
};

/**
 * The error that callers of the product get for an error of the provider's client: PROVIDER_ERROR whose details tell
 * what became of the request, or NOT_FOUND when the provider lacks the `named` resource. Its text holds nothing of the
 * provider's, which can quote keys and personal data; the provider's request id is kept in `cause` for the log.
 */
export function toPartlineError(error: unknown, named?: NamedResource): PartlineError {
  if (isOurs(error)) return error;
  const fields = error as ErrorFields;
  if (named && fields.code === "resource_missing" && fields.statusCode === 404) return notFound(named.what, named.id);
  const reason = failureOf(fields);
  return providerError(reason, {
    ...(typeof fields.code === "string" ? { providerCode: fields.code } : {}),
    cause: { type: fields.type, code: fields.code, statusCode: fields.statusCode, requestId: fields.requestId },
  });
}

/** What became of the request, when `error` is a PROVIDER_ERROR of ours (local or from another node). */
export function providerFailure(error: unknown): ProviderFailure | undefined {
  if (typeof error !== "object" || error === null || !("code" in error) || error.code !== "PROVIDER_ERROR")
    return undefined;
  const details = "data" in error ? (error.data as Partial<ProviderErrorDetails> | undefined) : undefined;
  return details?.reason;
}

/** The provider's own code in a PROVIDER_ERROR of ours, such as `charge_already_refunded`. */
export function providerCode(error: unknown): string | undefined {
  if (providerFailure(error) === undefined) return undefined;
  return (error as { data: ProviderErrorDetails }).data.providerCode;
}

export function providerError(
  reason: ProviderFailure,
  { providerCode, cause }: { providerCode?: string; cause?: unknown } = {},
): PartlineError {
  const details: ProviderErrorDetails = { provider: "payment", reason, ...(providerCode ? { providerCode } : {}) };
  return new PartlineError("PROVIDER_ERROR", MESSAGES[reason], details, { cause });
}

function isOurs(error: unknown): error is PartlineError {
  return error instanceof PartlineError;
}

function failureOf({ type, statusCode, code }: ErrorFields): ProviderFailure {
  if (type === "StripeConnectionError") return "unreachable";
  if (type === "StripeRateLimitError" || statusCode === 409 || code === "idempotency_key_in_use") return "busy";
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return "refused";
  // 5xx, an answer that is not JSON, or a fault in between.
  return statusCode !== undefined && statusCode >= 500 ? "failed" : "unreachable";
}
