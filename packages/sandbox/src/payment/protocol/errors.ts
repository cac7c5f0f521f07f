import { Refusal } from "../../server/http-server.ts";

/** The `error` of an answer that is not 2xx. */
type ErrorBody = {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: object;
  setup_intent?: object;
  payment_method?: object;
};

/**
 * A refusal in the provider's words, by its `stage`:
 * - `validation`: before any work; the idempotency key stays free
 * - `refusal`: by the work, whose writes are undone; the answer is kept under the key
 * - `declined`: the same, but the writes stay
 */
export class ApiError extends Refusal {
  readonly stage: "validation" | "refusal" | "declined";

  constructor(status: number, body: ErrorBody, stage: ApiError["stage"] = "refusal") {
    super(status, { error: body }, body.message);
    this.stage = stage;
  }
}

/** A request that is refused before any work. */
export function createInvalidRequest(message: string, details: Partial<ErrorBody> = {}, status = 400): ApiError {
  return new ApiError(status, { type: "invalid_request_error", message, ...details }, "validation");
}

export function createInvalidParameter(code: string, param: string, message: string): ApiError {
  return createInvalidRequest(message, { code, param });
}

export function createMissingParameter(param: string): ApiError {
  return createInvalidParameter("parameter_missing", param, `Missing required param: ${param}.`);
}

/** A resource does not exist: 404 if the path names it, 400 if parameter `param` does. */
export function createNoSuchResource(kind: string, id: string, param?: string): ApiError {
  const details = { code: "resource_missing", param: param ?? "id" };
  return createRefusal(`No such ${kind}: '${id}'`, details, param === undefined ? 404 : 400);
}

/** A request that the work itself refuses. */
export function createRefusal(message: string, details: Partial<ErrorBody> = {}, status = 400): ApiError {
  return new ApiError(status, { type: "invalid_request_error", message, ...details });
}
