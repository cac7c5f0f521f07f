import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { type Exchange, type Handler, type Reply, type Routes, createJsonReply } from "../server/http-server.ts";
import { API_VERSION, type Runner } from "./account.ts";
import type { Fault, Faults } from "./control.ts";
import { ApiError, createInvalidRequest } from "./protocol/errors.ts";
import { expandResult } from "./protocol/expansion.ts";
import type { Operation } from "./protocol/operation.ts";
import { decodeForm } from "./protocol/parameters.ts";
import { createId } from "./store.ts";

type ApiOptions = {
  database: DatabaseSync;
  /** Unix seconds. */
  now(): number;
  faults: Faults;
  run: Runner;
  secretKey: string;
};

/** The `/v1` routes: each operation behind authentication, form decoding, faults, idempotency and one transaction. */
export function createApiRoutes(
  operations: readonly Operation[],
  { database, now, faults, run, secretKey }: ApiOptions,
): Routes {
  const keys = createIdempotencyKeys(database, now);

  /** @param operation undefined for a route that the provider does not have */
  const createEndpoint =
    (operation?: Operation): Handler =>
    async (exchange) => {
      const key = exchange.method === "POST" ? exchange.header("idempotency-key") : undefined;
      const requestId = createId("request");
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
          throw createInvalidRequest(message, {}, 404);
        }
        const version = exchange.header("stripe-version") ?? API_VERSION;
        if (version !== API_VERSION)
          throw createInvalidRequest(`Invalid Stripe API version: ${version}. The sandbox speaks ${API_VERSION}.`);
        const form = await readForm(exchange);
        const fault = faults.takeFault(method, path);
        using _release = key ? keys.acquire(key) : undefined;
        if (fault?.delayMs) await delay(fault.delayMs);
        const misbehaves = fault && (fault.hang || fault.status !== null);
        if (misbehaves && !fault.afterWork) return applyFault(fault);
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
        return misbehaves ? applyFault(fault) : done;
      };
      const reply = await answer().catch((error: unknown) => {
        if (error instanceof ApiError) return error.reply;
        throw error;
      });
      return reply === "hang" ? reply : { ...reply, headers: { ...headers, ...reply.headers } };
    };

  const endpoints = operations.map((operation) => [operation.route, createEndpoint(operation)] as const);
  return { ...Object.fromEntries(endpoints), "* /v1/*": createEndpoint() };
}

/** Runs the work inside the transaction, and undoes the writes of a refused call. A decline's writes stay. */
function execute(database: DatabaseSync, work: () => object): ReturnType<typeof createJsonReply> & { keep: boolean } {
  database.exec("SAVEPOINT work");
  try {
    const result = work();
    database.exec("RELEASE work");
    return { ...createJsonReply(200, result), keep: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.stage !== "declined") database.exec("ROLLBACK TO work");
    database.exec("RELEASE work");
    return { ...error.reply, keep: error.stage !== "validation" };
  }
}

async function readForm({ method, body, mediaType, query }: Exchange): Promise<URLSearchParams> {
  const requestBody = method === "POST" ? (await body()).toString("utf8") : "";
  if (requestBody !== "" && mediaType !== undefined && mediaType !== "application/x-www-form-urlencoded")
    throw createInvalidRequest(
      `Invalid request: unsupported content type '${mediaType}'. Use application/x-www-form-urlencoded.`,
    );
  const form = new URLSearchParams([...query, ...new URLSearchParams(requestBody)]);
  form.sort();
  return form;
}

function assertSecretKey(header: string | undefined, secretKey: string): void {
  const token = /^Bearer\s+(\S+)$/i.exec(header?.trim() ?? "")?.[1];
  if (!token)
    throw createInvalidRequest("You did not provide an API key, as 'Authorization: Bearer YOUR_SECRET_KEY'.", {}, 401);
  if (token === secretKey) return;
  throw createInvalidRequest(
    `Invalid API Key provided: ${token.slice(0, "sk_test_".length)}****${token.slice(-4)}`,
    {},
    401,
  );
}

/** Answers as the fault says. Work that was done stays done: only its answer is lost. */
function applyFault({ hang, status }: Fault): Reply | "hang" {
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
      const difference =
        row["endpoint"] !== endpoint ? "endpoint" : row["fingerprint"] !== computeFingerprint(form) && "parameters";
      if (difference)
        throw createRefusal(
          400,
          `Keys for idempotent requests can only be used with the same ${difference} they were first used with: ${key}`,
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
      insert.run(key, computeFingerprint(form), endpoint, requestId, now(), status, body);
    },

    /** Takes a key for one request. @throws ApiError 409 while another has it */
    acquire(key: string): Disposable {
      if (inUse.has(key)) {
        const message = `There is currently another in-progress request using this Stripe Idempotent Key: ${key}`;
        throw createRefusal(409, message, "idempotency_key_in_use");
      }
      inUse.add(key);
      return { [Symbol.dispose]: () => void inUse.delete(key) };
    },
  };
}

function createRefusal(status: number, message: string, code?: string): ApiError {
  return new ApiError(status, { type: "idempotency_error", message, code }, "validation");
}

const computeFingerprint = (form: URLSearchParams): string => hash("sha256", form.toString());
