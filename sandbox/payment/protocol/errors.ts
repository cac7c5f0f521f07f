export type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

/** The `error` of an answer that is not 2xx. */
export type ErrorBody = {
  type: ErrorType;
  message: string;
  code?: string;
  param?: string;
  doc_url?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: object;
  setup_intent?: object;
  payment_method?: object;
};

/**
 * A refusal in the provider's words. `stage` tells what becomes of it: `validation` happened before any work, so that
 * its idempotency key stays free; `refusal` is the work's own result and is kept under the key; `declined` is kept too,
 * and so is what the work has written.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly stage: "validation" | "refusal" | "declined";

  constructor(status: number, body: ErrorBody, stage: ApiError["stage"] = "refusal") {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.stage = stage;
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}` }
      : body;
  }
}

export function invalidParameter(code: string, param: string, message: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", code, param, message }, "validation");
}

export function unknownParameters(names: string[]): ApiError {
  const plural = names.length > 1 ? "s" : "";
  return invalidParameter(
    "parameter_unknown",
    names[0] ?? "",
    `Received unknown parameter${plural}: ${names.join(", ")}`,
  );
}

export function missingParameter(param: string): ApiError {
  return invalidParameter("parameter_missing", param, `Missing required param: ${param}.`);
}

/**
 * The thing that the path names does not exist (404). `kind` is the provider's name for it, such as `payment_intent`.
 */
export function noSuchResource(kind: string, id: string, param = "id"): ApiError {
  return new ApiError(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `No such ${kind}: '${id}'`,
  });
}

/** A thing that a parameter names does not exist: 400, unlike one that the path names. */
export function noSuchReference(kind: string, id: string, param: string): ApiError {
  return new ApiError(400, {
    type: "invalid_request_error",
    code: "resource_missing",
    param,
    message: `No such ${kind}: '${id}'`,
  });
}

export function refusal(
  message: string,
  details: { code?: string; param?: string; payment_intent?: object } = {},
): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message, ...details });
}

export function unrecognizedUrl(method: string, path: string): ApiError {
  const message = `Unrecognized request URL (${method}: ${path}). The sandbox serves what the shop uses, under /v1.`;
  return new ApiError(404, { type: "invalid_request_error", message }, "validation");
}

/** A form that could not be read at all. */
export function malformedForm(detail: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", message: `Invalid request: ${detail}` }, "validation");
}
