import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseSync } from "node:sqlite";

import { PayloadTooLargeError, RequestCutOffError } from "../server/body.ts";
import type { Exchange, Handler } from "../server/http-server.ts";
import type { Reply } from "../server/reply.ts";
import { jsonReply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";
import { API_VERSION } from "./api-version.ts";
import type { Fault, Faults } from "./control/faults.ts";
import { assertSecretKey } from "./protocol/authentication.ts";
import type { ErrorType } from "./protocol/errors.ts";
import { ApiError } from "./protocol/errors.ts";
import { expandResult } from "./protocol/expansion.ts";
import type { FormObject } from "./protocol/form.ts";
import { decodeForm } from "./protocol/form.ts";
import type { IdempotencyKeys } from "./protocol/idempotency.ts";
import type { Operation } from "./protocol/operation.ts";
import type { Runner } from "./runner.ts";
import { newId } from "./state/ids.ts";

export type ApiOptions = {
  database: DatabaseSync;
  faults: Faults;
  keys: IdempotencyKeys;
  run: Runner;
  secretKey: string;
  onError(error: unknown): void;
};

type Answer = { status: number; body: string; keep: boolean };

/** The `/v1` routes: each operation behind authentication, form decoding, faults, idempotency and one transaction. */
export function apiRoutes(operations: readonly Operation[], options: ApiOptions): Routes {
  return Object.fromEntries(operations.map((operation) => [operation.route, endpoint(operation, options)]));
}

function endpoint(operation: Operation, options: ApiOptions): Handler {
  return async (exchange) => {
    const requestId = newId.request();
    const key = exchange.method === "POST" ? exchange.header("idempotency-key") : undefined;
    const headers: Record<string, string> = {
      "request-id": requestId,
      "stripe-version": API_VERSION,
      "cache-control": "no-cache, no-store",
      ...(key ? { "idempotency-key": key } : {}),
    };
    try {
      assertSecretKey(exchange.header("authorization"), options.secretKey);
      assertVersion(exchange.header("stripe-version"));
      const form = await readForm(exchange);
      const fault = options.faults.strike(exchange.method, exchange.path);
      const release = key ? options.keys.acquire(key) : undefined;
      try {
        return await answer({ operation, options, exchange, form, fault, key, requestId, headers });
      } finally {
        release?.();
      }
    } catch (error) {
      if (error instanceof ApiError) return errorReply(error, headers);
      if (error instanceof PayloadTooLargeError) {
        return errorReply(new ApiError(413, { type: "invalid_request_error", message: error.message }), {
          ...headers,
          connection: "close",
        });
      }
      if (error instanceof RequestCutOffError) throw error;
      options.onError(error);
      return errorReply(new ApiError(500, { type: "api_error", message: "An unknown error occurred" }), headers);
    }
  };
}

async function answer(call: {
  operation: Operation;
  options: ApiOptions;
  exchange: Exchange;
  form: FormObject;
  fault: Fault | undefined;
  key: string | undefined;
  requestId: string;
  headers: Record<string, string>;
}): Promise<Reply | "hang"> {
  const { operation, options, exchange, form, fault, key, requestId, headers } = call;
  if (fault?.delayMs) await delay(fault.delayMs);
  if (fault && !fault.afterWork && (fault.hang || fault.status)) return misbehave(fault, headers);
  const stored = key ? options.keys.recall(key, exchange.path, form) : undefined;
  if (stored) {
    const replayed = { "idempotent-replayed": "true", "original-request": stored.request_id };
    return {
      status: stored.status,
      headers: { ...headers, ...replayed, "content-type": "application/json" },
      body: stored.body,
    };
  }
  const prepared = operation.prepare(form);
  const { status, body } = options.run(
    (scope) => {
      const result = execute(options.database, () =>
        expandResult(scope, prepared.run(scope, pathParams(exchange)), prepared.expand),
      );
      if (key && result.keep)
        options.keys.keep(key, exchange.path, form, {
          status: result.status,
          body: result.body,
          request_id: requestId,
        });
      return result;
    },
    { id: requestId, idempotency_key: key ?? null },
  );
  if (fault?.afterWork && (fault.hang || fault.status)) return misbehave(fault, headers);
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
}

/**
 * Runs the work inside the transaction. What a refused call has written is undone; a decline is an outcome, and what it
 * wrote stays.
 */
function execute(database: DatabaseSync, work: () => object): Answer {
  database.exec("SAVEPOINT work");
  try {
    const result = work();
    database.exec("RELEASE work");
    return { status: 200, body: serialize(result), keep: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.stage !== "declined") database.exec("ROLLBACK TO work");
    database.exec("RELEASE work");
    return { status: error.status, body: serialize({ error: error.body }), keep: error.stage !== "validation" };
  }
}

async function readForm(exchange: Exchange): Promise<FormObject> {
  if (exchange.method !== "POST") return decodeForm(exchange.rawQuery);
  const body = (await exchange.body()).toString("utf8");
  const type = exchange.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (body !== "" && type !== undefined && type !== "application/x-www-form-urlencoded") {
    const message = `Invalid request: unsupported content type '${type}'. Use application/x-www-form-urlencoded.`;
    throw new ApiError(400, { type: "invalid_request_error", message }, "validation");
  }
  return decodeForm([exchange.rawQuery, body].filter(Boolean).join("&"));
}

function assertVersion(version: string | undefined): void {
  if (version === undefined || version === API_VERSION) return;
  const message = `Invalid Stripe API version: ${version}. The sandbox speaks ${API_VERSION}.`;
  throw new ApiError(400, { type: "invalid_request_error", message }, "validation");
}

function pathParams(exchange: Exchange): Record<string, string> & { id: string } {
  return { ...exchange.params, id: exchange.params["id"] ?? "" };
}

const FAULT_ERRORS: Record<number, { type: ErrorType; message: string; code?: string }> = {
  429: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests in a short amount of time" },
};

/** What a fault looks like from outside. The work, if it was done, stays done: only its answer is lost. */
function misbehave(fault: Fault, headers: Record<string, string>): Reply | "hang" {
  if (fault.hang || fault.status === null) return "hang";
  const error = FAULT_ERRORS[fault.status] ?? { type: "api_error", message: "An unknown error occurred" };
  return errorReply(new ApiError(fault.status, error), headers);
}

export function errorReply(error: ApiError, headers: Record<string, string>): Reply {
  const challenge: Record<string, string> = error.status === 401 ? { "www-authenticate": 'Basic realm="Stripe"' } : {};
  return jsonReply(error.status, { error: error.body }, { ...headers, ...challenge });
}

function serialize(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
