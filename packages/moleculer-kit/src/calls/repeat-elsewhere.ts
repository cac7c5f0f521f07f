import type { Middleware, ServiceBroker } from "moleculer";
import { getMetrics } from "../metrics/metrics.ts";
import { getFailureDetector, type FailureDetector, type Repeatable } from "./failure-detector.ts";
import { getRemainingMs } from "./deadline.ts";
import {
  toMiddleware,
  listEndpoints,
  findTransit,
  type Endpoint,
  type Handler,
  type InternalContext,
} from "../internals.ts";

interface RemoteAction {
  name: string;
  /** The contract's `idempotent`, which nodes publish with their actions. */
  idempotent?: boolean;
}

/** Returns whether every node would answer the same; undefined for an error that is not of the house. */
type IsFinal = (error: unknown) => boolean | undefined;

type Reason = "refused" | "gone" | Parameters<Repeatable["repeat"]>[0];

/** At most one call in ten is repeated because it may be slow, so that a slow system does not get twice the load. */
const EARNED_BY_A_CALL = 0.1;
const MOST_SAVED = 50;

/**
 * Repeats a remote call once on a different node, within the caller's deadline: any call that a stopping node refused
 * unbegun, and an `idempotent` action whose node is gone or silent, or whose answer seems lost. The first answer
 * counts, also a refusal that the other node would repeat (NOT_FOUND). If both fail, an error that one of them sent
 * counts before silence. A call that names its node or sends a stream is not repeated.
 */
export function createRepeatElsewhereMiddleware(isFinal: IsFinal): Middleware {
  let detector: FailureDetector;
  let broker: ServiceBroker;
  let savings = MOST_SAVED;

  const mayRepeatSlow = (): boolean => {
    if (savings < 1) return false;
    savings -= 1;
    return true;
  };

  const isAnswer = (error: unknown): boolean =>
    isFinal(error) ?? (error as { type?: string } | undefined)?.type === "VALIDATION_ERROR";

  const forget = (id: string): void => findTransit(broker)?.removePendingRequest(id);

  const remoteAction =
    (next: Handler, action: RemoteAction): Handler =>
    (ctx) => {
      if (ctx.options.stream !== undefined || ctx.options.nodeID !== undefined) return next(ctx);
      if (!action.idempotent) {
        return next(ctx).catch((error: unknown) => {
          const second = isRefusedUnbegun(error, ctx) ? createRepeatContext(ctx) : undefined;
          if (!second) throw error;
          return ask(second, ctx, "refused");
        });
      }
      savings = Math.min(MOST_SAVED, savings + EARNED_BY_A_CALL);
      return new Promise((resolve, reject) => {
        /** Calls that may still be answered. */
        const ids = new Set<string>();
        let isRepeated = false;
        let failure: unknown;
        const call: Repeatable = {
          nodeID: ctx.nodeID ?? "",
          repeat: (reason) => void repeatCall(reason),
        };
        const repeatCall = (reason: Reason): boolean => {
          const second = isRepeated ? undefined : createRepeatContext(ctx);
          if (!second || (reason === "lost" && !mayRepeatSlow())) return false;
          isRepeated = true;
          follow(second, ask(second, ctx, reason));
          return true;
        };
        const follow = (context: InternalContext, answer: Promise<unknown>): void => {
          ids.add(context.id);
          answer.then(
            (result) => {
              settle(context.id);
              resolve(result);
            },
            (error: unknown) => {
              ids.delete(context.id);
              const isSilence = isUnanswered(error, context);
              if (isSilence && repeatCall(isRefusedUnbegun(error, context) ? "refused" : "gone")) return;
              failure = isSilence ? (failure ?? error) : error;
              if (ids.size > 0 && !isAnswer(error)) return;
              settle(context.id);
              reject(failure as Error);
            },
          );
        };
        const settle = (answeredId: string): void => {
          detector.close(call);
          // Not its own: a streamed answer has not ended yet.
          ids.delete(answeredId);
          ids.forEach(forget);
        };
        detector.open(call);
        follow(ctx, next(ctx));
      });

      /** Makes the second call's context; undefined without another node or time. */
      function createRepeatContext(first: InternalContext): InternalContext | undefined {
        const endpoint = pickOtherEndpoint(first.nodeID);
        const timeout = getRemainingMs(first);
        if (!endpoint || timeout <= 0) return undefined;
        const second = first.copy(endpoint);
        second.options = { ...first.options, ...(Number.isFinite(timeout) ? { timeout } : {}) };
        return second;
      }

      function ask(second: InternalContext, first: InternalContext, reason: Reason): Promise<unknown> {
        getMetrics(broker).repeats.inc({ action: action.name, reason });
        broker.logger.debug(
          `${action.name} is asked of ${second.endpoint.id} in place of ${String(first.nodeID)} (${reason})`,
          { requestID: first.requestID },
        );
        return second.endpoint.local ? second.endpoint.action.handler(second) : callWithTimeout(second);
      }

      /** Moleculer's time limit is around the first call; the second needs its own. */
      function callWithTimeout(second: InternalContext): Promise<unknown> {
        const { timeout } = second.options;
        const limit = timeout ? setTimeout(() => forget(second.id), timeout).unref() : undefined;
        const answer = next(second);
        answer.finally(() => clearTimeout(limit)).catch(() => forget(second.id));
        return answer;
      }

      function pickOtherEndpoint(nodeID: string | null): Endpoint | undefined {
        const candidates = listEndpoints(broker, action.name).filter(
          ({ id }) => id !== nodeID && !detector.suspects.has(id),
        );
        return candidates[Math.floor(Math.random() * candidates.length)];
      }
    };

  return toMiddleware({
    name: "RepeatElsewhere",
    created: (created: ServiceBroker) => {
      broker = created;
      detector = getFailureDetector(created);
    },
    remoteAction,
  });
}

/** Returns whether the node is gone or stops; an error from farther on is an answer. */
function isUnanswered(error: unknown, ctx: InternalContext): boolean {
  return isErrorOfCall(error, ctx, ["REQUEST_REJECTED", "SERVICE_NOT_AVAILABLE", "SERVICE_NOT_FOUND"]);
}

function isRefusedUnbegun(error: unknown, ctx: InternalContext): boolean {
  return isErrorOfCall(error, ctx, ["SERVICE_NOT_AVAILABLE", "SERVICE_NOT_FOUND"]);
}

function isErrorOfCall(error: unknown, ctx: InternalContext, types: readonly string[]): boolean {
  const { type, data } = (error ?? {}) as { type?: string; data?: { action?: string; nodeID?: string } };
  return type !== undefined && types.includes(type) && data?.action === ctx.action?.name && data?.nodeID === ctx.nodeID;
}
