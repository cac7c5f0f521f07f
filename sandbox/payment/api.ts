import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { type Exchange, type Handler, type Reply, type Routes, jsonReply } from "../server/http-server.ts";
import { API_VERSION, type Runner } from "./account.ts";
import type { Fault, Faults } from "./control.ts";
import { ApiError, invalidRequest } from "./protocol/errors.ts";
import { expandResult } from "./protocol/expansion.ts";
import type { Operation } from "./protocol/operation.ts";
import { decodeForm } from "./protocol/parameters.ts";
import { newId } from "./store.ts";

type ApiOptions = {
  database: DatabaseSync;
  /** Unix seconds. */
  now(): number;
  faults: Faults;
  run: Runner;
  secretKey: string;
};
type Served = ApiOptions & { keys: IdempotencyKeys };

/** The `/v1` routes: each operation behind authentication, form decoding, faults, idempotency and one transaction. */
export function apiRoutes(operations: readonly Operation[], options: ApiOptions): Routes {
  const served = { ...options, keys: createIdempotencyKeys(options.database, options.now) };
  const endpoints = operations.map((operation) => [operation.route, endpoint(operation, served)] as const);
  return { ...Object.fromEntries(endpoints), "* /v1/*": endpoint(undefined, served) };
}

/** @param operation undefined for a route that the provider does not have */
function endpoint(operation: Operation | undefined, options: Served): Handler {
  return async (exchange) => {
    const key = exchange.method === "POST" ? exchange.header("idempotency-key") : undefined;
    const headers: Record<string, string> = {
      "request-id": newId("request"),
      "stripe-version": API_VERSION,
      "cache-control": "no-cache, no-store",
      ...(key ? { "idempotency-key": key } : {}),
    };
    try {
      assertSecretKey(exchange.header("authorization"), options.secretKey);
      if (!operation) {
        const asked = `${exchange.method}: ${exchange.path}`;
        throw invalidRequest(`Unrecognized request URL (${asked}). The sandbox serves what the shop uses.`, {}, 404);
      }
      const version = exchange.header("stripe-version") ?? API_VERSION;
      if (version !== API_VERSION)
        throw invalidRequest(`Invalid Stripe API version: ${version}. The sandbox speaks ${API_VERSION}.`);
      return await answer(operation, options, exchange, await readForm(exchange), headers);
    } catch (error) {
      if (error instanceof ApiError) return errorReply(error, headers);
      throw error;
    }
  };
}

async function answer(
  operation: Operation,
  { database, faults, keys, run }: Served,
  { params, path, method }: Exchange,
  form: URLSearchParams,
  headers: Record<string, string>,
): Promise<Reply | "hang"> {
  const requestId = headers["request-id"]!;
  const key = headers["idempotency-key"];
  const fault = faults.strike(method, path);
  const release = key ? keys.acquire(key) : undefined;
  try {
    if (fault?.delayMs) await delay(fault.delayMs);
    const misbehaves = fault && (fault.hang || fault.status !== null);
    if (misbehaves && !fault.afterWork) return misbehave(fault, headers);
    const stored = key ? keys.recall(key, path, form) : undefined;
    if (stored) {
      const replayed = { "idempotent-replayed": "true", "original-request": stored.requestId };
      return apiReply(stored, { ...headers, ...replayed });
    }
    const prepared = operation.prepare(decodeForm(form));
    const done = run(
      (scope) => {
        const result = execute(database, () =>
          expandResult(scope, prepared.run(scope, { ...params, id: params["id"] ?? "" }), prepared.expand),
        );
        if (key && result.keep) keys.keep(key, path, form, result, requestId);
        return result;
      },
      { id: requestId, idempotency_key: key ?? null },
    );
    return misbehaves ? misbehave(fault, headers) : apiReply(done, headers);
  } finally {
    release?.();
  }
}

/** Runs the work inside the transaction, and undoes the writes of a refused call. A decline's writes stay. */
function execute(database: DatabaseSync, work: () => object): { status: number; body: string; keep: boolean } {
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

async function readForm(exchange: Exchange): Promise<URLSearchParams> {
  const body = exchange.method === "POST" ? (await exchange.body()).toString("utf8") : "";
  const type = exchange.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (body !== "" && type !== undefined && type !== "application/x-www-form-urlencoded")
    throw invalidRequest(`Invalid request: unsupported content type '${type}'. Use application/x-www-form-urlencoded.`);
  const form = new URLSearchParams([...exchange.query, ...new URLSearchParams(body)]);
  form.sort();
  return form;
}

function assertSecretKey(header: string | undefined, secretKey: string): void {
  const given = /^Bearer\s+(\S+)$/i.exec(header?.trim() ?? "")?.[1];
  if (!given)
    throw invalidRequest("You did not provide an API key, as 'Authorization: Bearer YOUR_SECRET_KEY'.", {}, 401);
  if (given === secretKey) return;
  throw invalidRequest(`Invalid API Key provided: ${given.slice(0, "sk_test_".length)}****${given.slice(-4)}`, {}, 401);
}

/** Answers as the fault says. Work that was done stays done: only its answer is lost. */
function misbehave(fault: Fault, headers: Record<string, string>): Reply | "hang" {
  if (fault.hang || fault.status === null) return "hang";
  const error = {
    type: "invalid_request_error",
    code: "rate_limit",
    message: "Too many requests in a short amount of time",
  } as const;
  const unknown = { type: "api_error", message: "An unknown error occurred" } as const;
  return errorReply(new ApiError(fault.status, fault.status === 429 ? error : unknown), headers);
}

function errorReply({ status, body }: ApiError, headers: Record<string, string>): Reply {
  return jsonReply(status, { error: body }, headers);
}

function apiReply({ status, body }: { status: number; body: string }, headers: Record<string, string>): Reply {
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
}

function serialize(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

const LIFETIME_SECONDS = 24 * 3_600;

/**
 * Keeps the first status and body of each key for 24 hours (the provider promises at least that), and knows the keys
 * in use. Source: the provider's page on idempotent requests.
 */
function createIdempotencyKeys(database: DatabaseSync, now: () => number) {
  const select = database.prepare("SELECT * FROM idempotency_keys WHERE key = ? AND created > ?");
  const insert = database.prepare(
    "INSERT OR REPLACE INTO idempotency_keys (key, fingerprint, endpoint, request_id, created, status, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const prune = database.prepare("DELETE FROM idempotency_keys WHERE created <= ?");
  const inUse = new Set<string>();
  return {
    /** Returns the answer to replay; undefined for a new key. @throws ApiError 400 if the key was used for another request */
    recall(key: string, endpoint: string, form: URLSearchParams) {
      const row = select.get(key, now() - LIFETIME_SECONDS);
      if (!row) return undefined;
      const other =
        row["endpoint"] !== endpoint ? "endpoint" : row["fingerprint"] !== fingerprint(form) && "parameters";
      if (other)
        throw refused(
          400,
          `Keys for idempotent requests can only be used with the same ${other} they were first used with: ${key}`,
        );
      return { status: Number(row["status"]), body: String(row["body"]), requestId: String(row["request_id"]) };
    },

    keep(
      key: string,
      endpoint: string,
      form: URLSearchParams,
      { status, body }: { status: number; body: string },
      requestId: string,
    ): void {
      prune.run(now() - LIFETIME_SECONDS);
      insert.run(key, fingerprint(form), endpoint, requestId, now(), status, body);
    },

    /** Takes a key for one request, and returns what gives it back. @throws ApiError 409 while another has it */
    acquire(key: string): () => void {
      if (inUse.has(key)) {
        const message = `There is currently another in-progress request using this Stripe Idempotent Key: ${key}`;
        throw refused(409, message, "idempotency_key_in_use");
      }
      inUse.add(key);
      return () => void inUse.delete(key);
    },
  };
}

function refused(status: number, message: string, code?: string): ApiError {
  return new ApiError(status, { type: "idempotency_error", message, code }, "validation");
}

const fingerprint = (form: URLSearchParams): string => hash("sha256", form.toString());
