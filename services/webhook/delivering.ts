import { setTimeout as pause } from "node:timers/promises";
import type { TasksOf } from "@partline/api-contracts";
import type { AtomicWrite, DocumentStore, TaskHandler, TaskRun, Update } from "@partline/durable";
import { outbox } from "../contracts.ts";
import {
  AGGREGATES,
  ATTEMPTS,
  DELIVERIES,
  ENDPOINTS,
  KEPT_MS,
  MESSAGES,
  PERSONAL,
  type AggregateDocument,
  type DeliveryDocument,
  type EndpointDocument,
  type MessageDocument,
  type PersonalDocument,
} from "./collections.ts";
import type { Endpoints } from "./endpoints.ts";
import type { webhookContract } from "./contract.ts";
import { enqueueDelivery, TEST_TYPE } from "./messages.ts";
import { GONE, type Outcome, type Poster } from "./post.ts";
import { signHeaders } from "./secrets.ts";

/** Requests to an endpoint from one process. */
const AT_ONCE = 32;
/** Number of unanswered requests in a row after which an endpoint gets one a second, until it answers. */
const DEAD_AFTER = AT_ONCE;
const DEAD_PAUSE_MS = 1_000;
/** How a proxy says that there was no answer. */
const NO_ANSWER: readonly (number | undefined)[] = [undefined, 502, 503, 504];
/** Between looks for a missing event before one of an ordered endpoint. */
const LOOK_MS = 1_000;

type Queued = TasksOf<typeof webhookContract>["webhook.deliver"];

/**
 * Returns the handler of deliveries. A task sends a delivery, or those of an aggregate in their order. A retry is a
 * later run of the same task, enqueued with the record of the attempt.
 */
export function createDeliverer(
  documents: DocumentStore,
  endpoints: Endpoints,
  poster: Poster,
  count: (outcome: Outcome["outcome"]) => void,
  disabled: () => void,
): TaskHandler<Queued> {
  const deliveries = documents.collection<DeliveryDocument>(DELIVERIES);
  const messages = documents.collection<MessageDocument>(MESSAGES);
  const personal = documents.collection<PersonalDocument>(PERSONAL);
  const aggregates = documents.collection<AggregateDocument>(AGGREGATES);

  /** Unanswered requests in a row, by endpoint; of those that answer, none. */
  const unanswered = new Map<string, number>();
  const isDead = (endpointId: string): boolean => (unanswered.get(endpointId) ?? 0) >= DEAD_AFTER;

  const findNext = ({ deliveryId, lane }: Queued): Promise<DeliveryDocument | null> =>
    lane === undefined
      ? deliveries.findOne({ _id: deliveryId!, state: "waiting" })
      : deliveries.findOne({ lane, state: "waiting" }, { sort: { position: 1, occurredAt: 1 } });

  /** Returns whether the event before may still come. */
  const isEarly = async ({ aggregateId, position, patientUntil }: DeliveryDocument, now: Date): Promise<boolean> => {
    if (aggregateId === undefined || position <= 1 || !patientUntil || patientUntil <= now) return false;
    const versions = (await aggregates.findOne({ _id: aggregateId }))?.versions ?? [];
    return !versions.includes(position - 1);
  };
  /** Returns whether it is still the first of its lane: the event before may have come since it was read. */
  const isFirst = async ({ _id, lane, position }: DeliveryDocument, queued: Queued): Promise<boolean> =>
    lane === undefined || position <= 1 || (await findNext(queued))?._id === _id;

  const buildBody = async ({ messageId }: DeliveryDocument) => {
    const message = await messages.findOne({ _id: messageId });
    if (!message) return undefined;
    const { type, version, occurredAt, data, hasPersonal } = message;
    const personalData = hasPersonal ? await personal.findOne({ _id: messageId }) : undefined;
    const text = JSON.stringify({ type, version, timestamp: occurredAt, data: { ...data, ...personalData?.data } });
    return { text, isPersonal: !!personalData };
  };

  const record = async (
    delivery: DeliveryDocument,
    endpoint: EndpointDocument,
    outcome: Outcome,
    task: TaskRun,
  ): Promise<boolean> => {
    const now = new Date();
    const { _id } = delivery;
    const isDelivered = outcome.outcome === "delivered";
    const { retryAfterMs, ...result } = outcome;
    const isGone = outcome.status === GONE;
    const retryAt = isDelivered || isGone ? undefined : computeNextTry(delivery.tries + 1, now, { retryAfterMs });
    const attempt = { deliveryId: _id, attemptedAt: now, ...result, purgeAt: new Date(now.getTime() + KEPT_MS) };
    const endpointWrites = isDelivered ? clearFailing(endpoint) : recordFailing(endpoint, now, isGone);
    await documents.atomically([
      task.held(),
      { collection: ATTEMPTS, insertOne: { _id: `${_id}:${delivery.attempts}`, ...attempt } },
      updateDelivery(_id, {
        $inc: { attempts: 1, tries: 1 },
        $set: isDelivered
          ? { state: "delivered", deliveredAt: now }
          : retryAt
            ? { nextAttemptAt: retryAt }
            : { state: "failed" },
        ...(retryAt ? {} : { $unset: { nextAttemptAt: true } }),
      }),
      ...(retryAt ? [enqueueDelivery(delivery, retryAt)] : []),
      ...endpointWrites,
    ]);
    count(outcome.outcome);
    if (endpointWrites.length > 1) disabled();
    return retryAt !== undefined;
  };

  return {
    maxRetries: Infinity,
    concurrency: (endpointId) => (isDead(endpointId) ? 1 : AT_ONCE),
    async run(queued, task) {
      let hasPaused = false;
      for (let next = await findNext(queued); next; next = await findNext(queued)) {
        task.signal.throwIfAborted();
        const now = new Date();
        const endpoint = await endpoints.find(queued.endpointId);
        const body = endpoint && (await buildBody(next));
        // What was stored for the types that it had may be more than who has changed it since may hear.
        const isHeard = endpoint?.eventTypes.includes(next.type) || next.type === TEST_TYPE;
        if (!endpoint) unanswered.delete(queued.endpointId);
        if (!endpoint || endpoint.disabled || !body || !isHeard) {
          const ended = { $set: { state: "failed" }, $unset: { nextAttemptAt: true as const } };
          await documents.atomically([task.held(), updateDelivery(next._id, ended)]);
          continue;
        }
        const { nextAttemptAt = now } = next;
        const dueAt = (await isEarly(next, now)) ? new Date(now.getTime() + LOOK_MS) : nextAttemptAt;
        if (dueAt > now) {
          await documents.atomically([task.held(), enqueueDelivery(next, dueAt)]);
          return;
        }
        if (!(await isFirst(next, queued))) continue;
        if (isDead(queued.endpointId) && !hasPaused) {
          await pause(DEAD_PAUSE_MS, undefined, { signal: task.signal });
          // The endpoint may have been disabled or deleted meanwhile.
          hasPaused = true;
          continue;
        }
        hasPaused = false;
        const { text, isPersonal } = body;
        const headers = signHeaders(endpoint.secrets, next.messageId, text, now);
        const outcome = await poster.post(endpoint.url, headers, text, task.signal);
        // It may repeat what was sent, and is kept longer than data of persons.
        if (isPersonal) delete outcome.answer;
        if (NO_ANSWER.includes(outcome.status)) unanswered.set(endpoint._id, (unanswered.get(endpoint._id) ?? 0) + 1);
        else unanswered.delete(endpoint._id);
        const isTriedAgain = await record(next, endpoint, outcome, task);
        if (next.lane === undefined || isTriedAgain) return;
      }
    },
  };
}

function updateDelivery(_id: string, update: Update): AtomicWrite {
  return { collection: DELIVERIES, updateOne: { filter: { _id }, update } };
}

function clearFailing({ _id, failingSince }: EndpointDocument): AtomicWrite[] {
  if (!failingSince) return [];
  const update = { $unset: { failingSince: true as const } };
  return [{ collection: ENDPOINTS, updateOne: { filter: { _id }, update } }];
}

/** Disables an endpoint that has failed for too long, or is gone, and announces it. */
function recordFailing(
  { _id, url, failingSince: knownSince }: EndpointDocument,
  now: Date,
  isGone: boolean,
): AtomicWrite[] {
  const isKnown = knownSince ? { failingSince: knownSince } : { failingSince: { $exists: false } };
  const failingSince = knownSince ?? now;
  if (!isGone && !isGivenUp(failingSince, now)) {
    if (knownSince) return [];
    return [{ collection: ENDPOINTS, updateOne: { filter: { _id, ...isKnown }, update: { $set: { failingSince } } } }];
  }
  const filter = { _id, disabled: false, ...isKnown };
  const disabledReason = isGone ? "gone" : "failing";
  const update = { $set: { disabled: true, disabledReason, failingSince, updatedAt: now } };
  const since = failingSince.toISOString();
  return [
    // Another process may have disabled or enabled it meanwhile: this attempt is then recorded again.
    { collection: ENDPOINTS, require: true, updateOne: { filter, update } },
    outbox(
      "webhook.disabled",
      { endpointId: _id, host: new URL(url).host, failingSince: since },
      `webhook.disabled:${_id}:${since}`,
    ),
  ];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Pauses after each failed attempt, as Standard Webhooks recommends: a little over three days in all. */
const PAUSES = [5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

const FAILING_MS = 5 * 24 * HOUR;

/** Longest pause that a receiver may ask for by Retry-After. */
const LONGEST_ASKED = 24 * HOUR;

/**
 * Returns when a delivery is tried again after so many failed tries; undefined after the last. Up to a tenth later, to
 * spread what failed together, and not before the receiver asked for it.
 */
export function computeNextTry(
  tries: number,
  now: Date,
  { random = Math.random(), retryAfterMs = 0 }: { random?: number; retryAfterMs?: number | undefined } = {},
): Date | undefined {
  const usual = PAUSES[tries - 1];
  const pause = usual && Math.max(usual, Math.min(retryAfterMs, LONGEST_ASKED));
  return pause === undefined ? undefined : new Date(now.getTime() + pause * (1 + random / 10));
}

export function isGivenUp(failingSince: Date | undefined, now: Date): boolean {
  return failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_MS;
}
