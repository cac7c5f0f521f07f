import { setTimeout as delay } from "node:timers/promises";
import type { Stripe } from "stripe";
import { hasCode, notFound, PartlineError } from "../errors.ts";

/**
 * How a request to the provider failed:
 * - `refused`: nothing was done, and the same request will be refused again
 * - `failed`: by a fault of the provider, which answers the same to the same idempotency key
 * - `unreachable`: no answer; it may have been done, and a repeat with the same idempotency key shows it
 * - `busy`: the provider works on a request with the same idempotency key, or on too many of ours
 */
type ProviderFailure = "refused" | "failed" | "unreachable" | "busy";

interface ProviderErrorDetails {
  provider: "payment";
  reason: ProviderFailure;
  /** The provider's own code, such as `card_declined`; never its message, which may quote what was sent. */
  providerCode?: string;
}

/** The resource that a request names: if the provider does not have it, that is 404 and not 502. */
export interface NamedResource {
  what: string;
  id?: string;
}

type ErrorFields = Partial<Pick<Stripe.errors.StripeError, "type" | "code" | "statusCode" | "requestId">>;

const MESSAGES: Record<ProviderFailure, string> = {
  refused: "The payment provider refused the request",
  failed: "The payment provider failed",
  unreachable: "The payment provider did not answer",
  busy: "The payment provider is busy with requests of ours",
};

/**
 * Returns PROVIDER_ERROR, or NOT_FOUND if the provider lacks the `named` resource. The provider's text is left out,
 * which can quote keys and personal data; `cause` has its request id for the log.
 */
export function toPartlineError(error: unknown, resource?: NamedResource): PartlineError {
  if (error instanceof PartlineError) return error;
  const fields = error as ErrorFields;
  if (resource && fields.code === "resource_missing" && fields.statusCode === 404)
    return notFound(resource.what, resource.id);
  const { type, code, statusCode, requestId } = fields;
  return providerError(classifyFailure(fields), {
    providerCode: typeof code === "string" ? code : undefined,
    cause: { type, code, statusCode, requestId },
  });
}

/** Returns how the request failed; undefined unless `error` is a PROVIDER_ERROR. */
export function providerFailure(error: unknown): ProviderFailure | undefined {
  return getDetails(error)?.reason;
}

/** Returns whether the provider answered: it answers the same to the same idempotency key. */
export function isAnswered(error: unknown): boolean {
  const failure = providerFailure(error);
  return failure === "refused" || failure === "failed";
}

/** Returns the provider's own code, such as `charge_already_refunded`. */
export function providerCode(error: unknown): string | undefined {
  return getDetails(error)?.providerCode;
}

function getDetails(error: unknown): Partial<ProviderErrorDetails> | undefined {
  return hasCode(error, "PROVIDER_ERROR") ? (error as { data?: Partial<ProviderErrorDetails> }).data : undefined;
}

export function providerError(
  reason: ProviderFailure,
  { providerCode, cause }: { providerCode?: string; cause?: unknown } = {},
): PartlineError {
  const details: ProviderErrorDetails = { provider: "payment", reason, providerCode };
  return new PartlineError("PROVIDER_ERROR", MESSAGES[reason], details, { cause });
}

function classifyFailure({ type, statusCode, code }: ErrorFields): ProviderFailure {
  if (type === "StripeConnectionError") return "unreachable";
  if (type === "StripeRateLimitError" || statusCode === 409 || code === "idempotency_key_in_use") return "busy";
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return "refused";
  // 5xx, an answer that is not JSON, or a fault in between.
  return statusCode !== undefined && statusCode >= 500 ? "failed" : "unreachable";
}

const OTHERS_REQUEST_MS = 8_000;
const POLL_MS = 50;

/** Returns whether the provider is `busy` with the same idempotency key for another process, whose result will come. */
export function isKeyInUse(error: unknown): boolean {
  return providerCode(error) === "idempotency_key_in_use";
}

/** Waits until `look` finds what another process has stored; undefined if it takes too long. */
export async function keptByOther<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + OTHERS_REQUEST_MS;
  while (Date.now() < deadline) {
    const result = await look();
    if (result !== undefined) return result;
    await delay(POLL_MS);
  }
  return undefined;
}
