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

/** The `/v1` routes: each operation behind authentication, form decoding, faults, idempotency and one transaction. */
export function apiRoutes(
  operations: readonly Operation[],
  { database, now, faults, run, secretKey }: ApiOptions,
): Routes {
  const keys = createIdempotencyKeys(database, now);

  /** @param operation undefined for a route that the provider does not have */
  const endpoint =
    (operation?: Operation): Handler =>
    async (exchange) => {
      const key = exchange.method === "POST" ? exchange.header("idempotency-key") : undefined;
      const requestId = newId("request");
      const headers = {
        "content-type": "application/json",
        "request-id": requestId,
        "stripe-version": API_VERSION,
        "cache-control": "no-cache, no-store",
        ...(key ? { "idempotency-key": key } : {}),
      };
      const answer = async (): Promise<Reply | "hang"> => {
        assertSecretKey(exchange.header("authorization"), secretKey);
        const { method, path, params } = exchange;
        if (!operation) {
          const message = `Unrecognized request URL (${method}: ${path}). The sandbox serves what the shop uses.`;
          throw invalidRequest(message, {}, 404);
        }
        const version = exchange.header("stripe-version") ?? API_VERSION;
        if (version !== API_VERSION)
          throw invalidRequest(`Invalid Stripe API version: ${version}. The sandbox speaks ${API_VERSION}.`);
        const form = await readForm(exchange);
        const fault = faults.strike(method, path);
        using _release = key ? keys.acquire(key) : undefined;
        if (fault?.delayMs) await delay(fault.delayMs);
        const misbehaves = fault && (fault.hang || fault.status !== null);
        if (misbehaves && !fault.afterWork) return misbehave(fault);
        const stored = key ? keys.recall(key, path, form) : undefined;
        if (stored) return stored;
        const prepared = operation.prepare(decodeForm(form));
        const done = run(
          (scope) => {
            const { keep, ...reply } = execute(database, () =>
              expandResult(scope, prepared.run(scope, { ...params, id: params["id"] ?? "" }), prepared.expand),
            );
            if (key && keep) keys.keep(key, path, form, reply, requestId);
            return reply;
          },
          { id: requestId, idempotency_key: key ?? null },
        );
        return misbehaves ? misbehave(fault) : done;
      };
      const reply = await answer().catch((error: unknown) => {
        if (error instanceof ApiError) return error.reply;
        throw error;
      });
      return reply === "hang" ? reply : { ...reply, headers: { ...headers, ...reply.headers } };
    };

  const endpoints = operations.map((operation) => [operation.route, endpoint(operation)] as const);
  return { ...Object.fromEntries(endpoints), "* /v1/*": endpoint() };
}

/** Runs the work inside the transaction, and undoes the writes of a refused call. A decline's writes stay. */
function execute(database: DatabaseSync, work: () => object): ReturnType<typeof jsonReply> & { keep: boolean } {
  database.exec("SAVEPOINT work");
  try {
    const result = work();
    database.exec("RELEASE work");
    return { ...jsonReply(200, result), keep: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.stage !== "declined") database.exec("ROLLBACK TO work");
    database.exec("RELEASE work");
    return { ...error.reply, keep: error.stage !== "validation" };
  }
}

async function readForm({ method, body, mediaType, query }: Exchange): Promise<URLSearchParams> {
  const sent = method === "POST" ? (await body()).toString("utf8") : "";
  if (sent !== "" && mediaType !== undefined && mediaType !== "application/x-www-form-urlencoded")
    throw invalidRequest(
      `Invalid request: unsupported content type '${mediaType}'. Use application/x-www-form-urlencoded.`,
    );
  const form = new URLSearchParams([...query, ...new URLSearchParams(sent)]);
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
function misbehave({ hang, status }: Fault): Reply | "hang" {
  if (hang || status === null) return "hang";
  const message = "Too many requests in a short amount of time";
  return status === 429
    ? new ApiError(status, { type: "invalid_request_error", code: "rate_limit", message }).reply
    : new ApiError(status, { type: "api_error", message: "An unknown error occurred" }).reply;
}

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
    /**
     * Returns the answer to replay; undefined for a new key.
     * @throws ApiError 400 if the key was used for another request
     */
    recall(key: string, endpoint: string, form: URLSearchParams): Reply | undefined {
      const row = select.get(key, now() - LIFETIME_SECONDS);
      if (!row) return undefined;
      const other =
        row["endpoint"] !== endpoint ? "endpoint" : row["fingerprint"] !== fingerprint(form) && "parameters";
      if (other)
        throw refused(
          400,
          `Keys for idempotent requests can only be used with the same ${other} they were first used with: ${key}`,
        );
      const headers = { "idempotent-replayed": "true", "original-request": String(row["request_id"]) };
      return { status: Number(row["status"]), headers, body: String(row["body"]) };
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

    /** Takes a key for one request. @throws ApiError 409 while another has it */
    acquire(key: string): Disposable {
      if (inUse.has(key)) {
        const message = `There is currently another in-progress request using this Stripe Idempotent Key: ${key}`;
        throw refused(409, message, "idempotency_key_in_use");
      }
      inUse.add(key);
      return { [Symbol.dispose]: () => void inUse.delete(key) };
    },
  };
}

function refused(status: number, message: string, code?: string): ApiError {
  return new ApiError(status, { type: "idempotency_error", message, code }, "validation");
}

const fingerprint = (form: URLSearchParams): string => hash("sha256", form.toString());
