import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUID } from "node:crypto";
import type { Context, Middleware, ServiceBroker } from "moleculer";
import { CodedError, ulid } from "@partline/toolkit";
import {
  type Collection,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  isWritten,
} from "@partline/durable";
import { toMiddleware } from "./internals.ts";
import { USUAL_TIMEOUT_MS } from "./slow-calls.ts";

/**
 * How long a key is remembered, from its latest run. Source: the payment provider's documentation of idempotent
 * requests.
 */
const KEPT_MS = 24 * 60 * 60_000;

/** The least time after which a key whose process died is free for the same request. */
const HELD_MS = 60_000;

/** A request that runs or has been answered, by the digest of its caller and key. */
interface Run extends Document {
  /** Digest of action and params. */
  request: string;
  /** Id for what the request makes (`createId`): the same for a later run, so that a crash makes nothing twice. */
  madeId: string;
  /** Process that runs the request. */
  holder: string;
  /** `FREE`: for any request. */
  heldUntil: Date;
  /** Absent while it runs. */
  answer?: string;
  expiresAt: Date;
}

export const RUNS: CollectionDefinition = {
  name: "idempotency_keys",
  fields: { holder: "string", heldUntil: "date", expiresAt: "date" },
  expires: "expiresAt",
};

type Answer = { result?: unknown } | { error: { code: string; message: string; data?: unknown } };
/** A request that runs once. Each is a digest. */
export interface OnceRequest {
  /** Digest of the caller and the key. */
  id: string;
  /** Digest of the same, which encrypts the stored answer. */
  secret: string;
  /** Digest of the action and its params. */
  request: string;
}

type OnceContext = Context<unknown, { once?: OnceRequest | undefined; runId?: string; replayed?: true }>;
type Next = (ctx: OnceContext) => Promise<unknown>;

interface OnceHouse {
  getDocuments(broker: ServiceBroker): DocumentStore;
  /** Returns the house's code of an error; undefined for an error of a library. */
  findCode(error: unknown): string | undefined;
}

/** Runs a request with an Idempotency-Key to an action marked `once` once in 24 hours; repeats get the same answer. */
export function createOnceMiddleware({ getDocuments, findCode }: OnceHouse): Middleware {
  let broker: ServiceBroker;
  return toMiddleware({
    name: "Once",
    created: (created: ServiceBroker) => {
      broker = created;
    },
    localAction: (next: Next, { once, timeout }: { once?: true; timeout?: number }): Next => {
      if (!once) return next;
      const heldMs = Math.max(HELD_MS, 2 * (timeout ?? USUAL_TIMEOUT_MS));
      return (ctx) => {
        const { once: request } = ctx.meta;
        if (request === undefined) return next(ctx);
        // Calls that the action makes are not this request.
        ctx.meta.once = undefined;
        const runs = getDocuments(broker).collection<Run>(RUNS);
        return answerOnce({ runs, request, heldMs, findCode }, ctx, next);
      };
    },
  });
}

/** @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE, and what the action throws or threw */
async function answerOnce(
  {
    runs,
    request,
    heldMs,
    findCode,
  }: { runs: Collection<Run>; request: OnceRequest; heldMs: number } & Pick<OnceHouse, "findCode">,
  ctx: OnceContext,
  next: Next,
): Promise<unknown> {
  const holder = randomUUID();
  const run = await take(runs, request, holder, heldMs);
  if ("answer" in run) {
    ctx.meta.replayed = true;
    return openAnswer(run.answer, request.secret);
  }
  ctx.meta.runId = run.madeId;
  const ownRun = { _id: request.id, holder };
  const keep = (answer: Answer): Promise<unknown> =>
    runs.updateOne(ownRun, { $set: { answer: sealAnswer(answer, request.secret) } }).catch((error: unknown) => {
      // It was done, so the caller gets its answer.
      ctx.broker.logger.warn("The answer to an Idempotency-Key could not be kept", error);
    });
  try {
    const result = await next(ctx);
    await keep({ result });
    return result;
  } catch (error) {
    // Nothing was done: the same request may try again at once.
    if (isHarmless(error, findCode(error)))
      await runs.updateOne(ownRun, { $set: { heldUntil: FREE } }).catch(() => undefined);
    else await keep({ error: toRefusal(error, findCode(error)) });
    throw error;
  }
}

/**
 * Frees a key for any request. The row keeps its request: the same one runs again with the same `madeId`, so that a
 * refund which was begun goes on.
 */
const FREE = new Date(0);

/** Takes the key for a run, and returns the id of what it makes; or the answer of an earlier one. */
async function take(
  runs: Collection<Run>,
  { id, request }: OnceRequest,
  holder: string,
  heldMs: number,
): Promise<{ madeId: string } | { answer: string }> {
  const now = new Date();
  const madeId = ulid();
  const addToNow = (ms: number): Date => new Date(now.getTime() + ms);
  const terms = { holder, heldUntil: addToNow(heldMs), expiresAt: addToNow(KEPT_MS) };
  const isFirst = await isWritten(runs.insertOne({ _id: id, request, madeId, ...terms }), "DUPLICATE_KEY");
  if (isFirst) return { madeId };
  const earlier = await runs.findOne({ _id: id });
  const isSame = !earlier || earlier.request === request;
  const isFree = earlier?.heldUntil.getTime() === FREE.getTime();
  if (!isSame && !isFree)
    throw new CodedError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key belongs to another request");
  if (earlier?.answer !== undefined) return { answer: earlier.answer };
  if (earlier && earlier.heldUntil <= now) {
    // Another request gets a new id: `madeId` belongs to what the earlier request made.
    const runMadeId = isSame ? earlier.madeId : madeId;
    const takeover = await runs.updateOne(
      { _id: id, holder: earlier.holder, answer: null },
      { $set: { request, madeId: runMadeId, ...terms } },
    );
    if (takeover.matched > 0) return { madeId: runMadeId };
  }
  throw new CodedError("IDEMPOTENCY_KEY_IN_USE", "A request with this Idempotency-Key is under way", undefined, {
    retryable: true,
  });
}

/** Refusals after which nothing was done, and the same request may succeed. */
const PASSING: readonly string[] = [
  "UNAUTHORIZED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "PROVIDER_ERROR",
  "DATABASE_UNAVAILABLE",
  "SERVICE_UNAVAILABLE",
];

/**
 * Moleculer's own, by `type`: the params do not fit, too much is under way, or a service that is needed is away.
 */
const NOT_BEGUN = ["VALIDATION_ERROR", "QUEUE_FULL", "SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE"];

function isHarmless(error: unknown, houseCode: string | undefined): boolean {
  const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown };
  return (
    (houseCode !== undefined && PASSING.includes(houseCode)) ||
    NOT_BEGUN.includes(String(type)) ||
    code === "UNAVAILABLE"
  );
}

/** An error of which it is unknown what was done stays one: its request must not run again. */
function toRefusal(error: unknown, code: string | undefined): { code: string; message: string; data?: unknown } {
  if (code === undefined) return { code: isLate(error) ? "TIMEOUT" : "INTERNAL_ERROR", message: "" };
  const { message, data } = error as CodedError;
  return { code, message, data };
}

function isLate(error: unknown): boolean {
  const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown };
  return code === "OUTCOME_UNKNOWN" || type === "REQUEST_TIMEOUT" || type === "REQUEST_REJECTED";
}

const CIPHER = "aes-256-gcm";
const [IV_BYTES, TAG_BYTES] = [12, 16];

/**
 * Answers hold personal data and secrets of payments: without the caller's key, which is not kept, neither a store nor
 * its backup reveals them, and nothing is left to erase.
 */
function sealAnswer(answer: Answer, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, hash("sha256", secret, "buffer"), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
}

/** Returns the result of an answer; its dates are texts, as the gateway writes them. @throws its error */
function openAnswer(text: string, secret: string): unknown {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv(CIPHER, hash("sha256", secret, "buffer"), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  const answer = JSON.parse(plain.toString()) as Answer;
  if (!("error" in answer)) return answer.result;
  const { code, message, data } = answer.error;
  throw new CodedError(code, message, data);
}
