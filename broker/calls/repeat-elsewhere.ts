import type { Middleware, ServiceBroker } from "moleculer";
import { ERROR_CATALOGUE, errorCode } from "../../mixins/errors.ts";
import { metricsOf } from "../metrics/metrics.ts";
import { failureDetectorOf, type FailureDetector, type Repeatable } from "./failure-detector.ts";
import { remainingMs } from "./deadline.ts";
import { middlewareOf, endpointsOf, transitOf, type Endpoint, type InternalContext } from "../moleculer/internals.ts";

type Handler = (ctx: InternalContext) => Promise<unknown>;

interface RemoteAction {
  name: string;
  /** Of our contracts, which other nodes tell with their actions. */
  idempotent?: boolean;
}

type Reason = "refused" | "gone" | Parameters<Repeatable["repeat"]>[0];

/**
 * Calls that may just be slow are repeated for one in ten at most, so that a system that is slow is not asked twice as
 * much.
 */
const EARNED_BY_A_CALL = 0.1;
const MOST_SAVED = 50;

/**
 * A call that another node did not answer is made once more, of a third one, within the time that it has:
 * - what the node refused because it stops, whatever it is, since it was not begun
 * - an action that may be repeated without harm (`idempotent` in its contract), when the node is gone, silent, or its
 *   answer seems lost. Of the two, the first answer counts, be it a refusal that the other would repeat (NOT_FOUND,
 *   say). Where both fail, what one of them says counts.
 * Whoever names the node, or sends a stream, wants no other.
 */
export function repeatElsewhereMiddleware(): Middleware {
  let detector: FailureDetector;
  let broker: ServiceBroker;
  let savings = MOST_SAVED;

  const mayRepeatSlow = (): boolean => {
    if (savings < 1) return false;
    savings -= 1;
    return true;
  };

  const forget = (id: string): void => transitOf(broker)?.removePendingRequest(id);

  const remoteAction =
    (next: Handler, action: RemoteAction): Handler =>
    (ctx) => {
      if (ctx.options.stream !== undefined || ctx.options.nodeID !== undefined) return next(ctx);
      if (!action.idempotent) {
        return next(ctx).catch((error: unknown) => {
          const second = wasRefusedUnbegun(error, ctx) ? elsewhere(ctx) : undefined;
          if (!second) throw error;
          return ask(second, ctx, "refused");
        });
      }
      savings = Math.min(MOST_SAVED, savings + EARNED_BY_A_CALL);
      return new Promise((resolve, reject) => {
        /** Of the calls that may still be answered. */
        const ids = new Set<string>();
        let isRepeated = false;
        let failure: unknown;
        const call: Repeatable = {
          nodeID: ctx.nodeID ?? "",
          repeat: (reason) => void again(reason),
        };
        const again = (reason: Reason): boolean => {
          const second = isRepeated ? undefined : elsewhere(ctx);
          if (!second || (reason === "lost" && !mayRepeatSlow())) return false;
          isRepeated = true;
          follow(second, ask(second, ctx, reason));
          return true;
        };
        const follow = (asked: InternalContext, answer: Promise<unknown>): void => {
          ids.add(asked.id);
          answer.then(
            (result) => {
              settle(asked.id);
              resolve(result);
            },
            (error: unknown) => {
              ids.delete(asked.id);
              const isSilence = wasNotAnswered(error, asked);
              if (isSilence && again(wasRefusedUnbegun(error, asked) ? "refused" : "gone")) return;
              failure = isSilence ? (failure ?? error) : error;
              if (ids.size > 0 && !isAnswer(error)) return;
              settle(asked.id);
              reject(failure as Error);
            },
          );
        };
        const settle = (by: string): void => {
          detector.close(call);
          // Not its own: an answer that streams is not over yet.
          ids.delete(by);
          ids.forEach(forget);
        };
        detector.open(call);
        follow(ctx, next(ctx));
      });

      /** The second call, which is yet to be made. Nothing when nobody else offers it, or no time is left. */
      function elsewhere(first: InternalContext): InternalContext | undefined {
        const endpoint = anotherThan(first.nodeID);
        const timeout = remainingMs(first);
        if (!endpoint || timeout <= 0) return undefined;
        const second = first.copy(endpoint);
        second.options = { ...first.options, ...(Number.isFinite(timeout) ? { timeout } : {}) };
        return second;
      }

      function ask(second: InternalContext, first: InternalContext, reason: Reason): Promise<unknown> {
        metricsOf(broker).repeats.inc({ action: action.name, reason });
        broker.logger.debug(
          `${action.name} is asked of ${second.endpoint.id} in place of ${String(first.nodeID)} (${reason})`,
          { requestID: first.requestID },
        );
        return second.endpoint.local ? second.endpoint.action.handler(second) : withinItsTime(second);
      }

      /** Here we are within Moleculer's time limit of the first call; nothing else limits, or forgets, the second. */
      function withinItsTime(second: InternalContext): Promise<unknown> {
        const { timeout } = second.options;
        const limit = timeout ? setTimeout(() => forget(second.id), timeout).unref() : undefined;
        const answer = next(second);
        answer.then(
          () => clearTimeout(limit),
          () => {
            clearTimeout(limit);
            forget(second.id);
          },
        );
        return answer;
      }

      function anotherThan(nodeID: string | null): Endpoint | undefined {
        const others = endpointsOf(broker, action.name).filter(({ id }) => id !== nodeID && !detector.isSuspect(id));
        return others[Math.floor(Math.random() * others.length)];
      }
    };

  const middleware = {
    name: "RepeatElsewhere",
    created: (created: ServiceBroker) => {
      broker = created;
      detector = failureDetectorOf(created);
    },
    remoteAction,
  };
  return middlewareOf(middleware);
}

/** Whoever is asked would say the same. */
function isAnswer(error: unknown): boolean {
  const code = errorCode(error);
  return code === undefined
    ? (error as { type?: string } | undefined)?.type === "VALIDATION_ERROR"
    : !ERROR_CATALOGUE[code].retryable;
}

/** The node is gone, or stops; of an error that came from farther on, that very call was answered. */
function wasNotAnswered(error: unknown, ctx: InternalContext): boolean {
  return isOfCall(error, ctx, ["REQUEST_REJECTED", "SERVICE_NOT_AVAILABLE", "SERVICE_NOT_FOUND"]);
}

function wasRefusedUnbegun(error: unknown, ctx: InternalContext): boolean {
  return isOfCall(error, ctx, ["SERVICE_NOT_AVAILABLE", "SERVICE_NOT_FOUND"]);
}

function isOfCall(error: unknown, ctx: InternalContext, types: readonly string[]): boolean {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string; nodeID?: string } };
  return type !== undefined && types.includes(type) && data?.action === ctx.action?.name && data?.nodeID === ctx.nodeID;
}
