import { createCipheriv, createDecipheriv, hash, randomBytes, randomUUID } from "node:crypto";
import type { Middleware, ServiceBroker } from "moleculer";
import { ulid } from "@partline/toolkit";
import { type Collection, type CollectionDefinition, type Document, isWritten } from "@partline/durable";
import { errorCode, hasCode, PartlineError, type ErrorCode } from "../mixins/errors.ts";
import type { CallContext, OnceRequest } from "./contract/context.ts";
import { toMiddleware, USUAL_TIMEOUT_MS } from "@partline/moleculer-kit";
import { getServiceRuntime } from "./runtime.ts";

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

type Answer = { result?: unknown } | { error: { code: ErrorCode; message: string; data?: unknown } };
type Next = (ctx: CallContext<unknown>) => Promise<unknown>;

/** Runs a request with an Idempotency-Key to an action marked `once` once in 24 hours; repeats get the same answer. */
export function createOnceMiddleware(): Middleware {
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
        return answerOnce(getServiceRuntime(broker).documents.collection<Run>(RUNS), request, heldMs, ctx, next);
      };
    },
  });
}

/** @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_USE, and what the action throws or threw */
async function answerOnce(
  runs: Collection<Run>,
  request: OnceRequest,
  heldMs: number,
  ctx: CallContext<unknown>,
  next: Next,
): Promise<unknown> {
  const holder = randomUUID();
  const run = await take(runs, request, holder, heldMs);
  if ("answer" in run) {
    ctx.meta.replayed = true;
    return unsealAnswer(run.answer, request.secret);
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
    if (isHarmless(error)) await runs.updateOne(ownRun, { $set: { heldUntil: FREE } }).catch(() => undefined);
    else await keep({ error: toRefusal(error) });
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
    throw new PartlineError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key belongs to another request");
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
  throw new PartlineError("IDEMPOTENCY_KEY_IN_USE", "A request with this Idempotency-Key is under way");
}

/** Refusals after which nothing was done, and the same request may succeed. */
const PASSING: readonly ErrorCode[] = [
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

function isHarmless(error: unknown): boolean {
  const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown };
  return hasCode(error, ...PASSING) || NOT_BEGUN.includes(String(type)) || code === "UNAVAILABLE";
}

/** An error of which it is unknown what was done stays one: its request must not run again. */
function toRefusal(error: unknown): { code: ErrorCode; message: string; data?: unknown } {
  const code = errorCode(error);
  if (code === undefined) return { code: isLate(error) ? "TIMEOUT" : "INTERNAL_ERROR", message: "" };
  const { message, data } = error as PartlineError;
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
function unsealAnswer(text: string, secret: string): unknown {
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv(CIPHER, hash("sha256", secret, "buffer"), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  const answer = JSON.parse(plain.toString()) as Answer;
  if (!("error" in answer)) return answer.result;
  const { code, message, data } = answer.error;
  throw new PartlineError(code, message, data);
}
