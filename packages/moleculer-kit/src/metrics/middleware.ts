import type { Middleware, ServiceBroker } from "moleculer";
import type { SeriesOf } from "./calls.ts";
import { getSlowLimit, SlowCalls } from "../slow-calls.ts";
import { attachMetrics, Metrics, type WatchedNode } from "./metrics.ts";
import type { Labels } from "./read-metric.ts";
import { createOuterMiddleware, type Handler, type InternalContext } from "../internals.ts";

/** Missing in Moleculer's declarations. */
type Definition = {
  name: string;
  group?: string;
  service?: { fullName: string };
  timeout?: number;
  bulkhead?: { enabled?: boolean };
};
/** Watches calls that take longer than the limit, milliseconds. */
interface SlowWatch {
  after: number;
  tell: (ctx: InternalContext, milliseconds: number) => void;
}
type Carry = (this: unknown, topicOrCommand: string, data: Buffer, ...rest: unknown[]) => unknown;

/** Counts calls, events and packets, and logs slow calls. */
export function createMetricsMiddleware(
  { slowCallMs }: { slowCallMs: number },
  getNode: (broker: ServiceBroker) => WatchedNode,
): Middleware {
  const metrics = new Metrics();
  const createOuterHooks = (broker: ServiceBroker) => {
    attachMetrics(broker, metrics, () => getNode(broker));
    return callHooks(metrics, broker, slowCallMs);
  };
  return createOuterMiddleware("Metrics", createOuterHooks, {
    localAction: (next: Handler, action: Definition) =>
      action.bulkhead?.enabled ? metrics.bulkheads.watchAdmitted(action.name, toLocalLabels(action), next) : next,
    transporterSend: (next: Carry): Carry => countPackets(next, metrics.sent),
    transporterReceive: (next: Carry): Carry => countPackets(next, metrics.received),
    starting: () => metrics.eventLoop.start(),
    stopped: () => metrics.eventLoop.stop(),
  });
}

function callHooks({ requests, events }: Metrics, broker: ServiceBroker, slowCallMs: number) {
  const slowCalls = new SlowCalls(broker.getLogger("calls"));
  // Logged on the node where it was slow; for a call without an answer the route is logged.
  const createSlowWatch = ({ name, timeout }: Definition): SlowWatch => ({
    after: getSlowLimit(slowCallMs, timeout),
    tell: ({ caller, requestID, nodeID }, milliseconds) =>
      slowCalls.tell("action", name, milliseconds, {
        request_id: requestID,
        caller: caller ?? "",
        caller_node: nodeID ?? broker.nodeID,
      }),
  });
  return {
    localAction: (next: Handler, action: Definition) =>
      countCalls(next, requests.bind(toLocalLabels(action)), createSlowWatch(action)),
    remoteAction: (next: Handler, action: Definition) =>
      countCalls(next, requests.bind({ service: getServiceName(action), action: action.name, type: "remote" })),
    localEvent: (next: Handler, event: Definition) =>
      countCalls(
        next,
        events.bind({ service: getServiceName(event), group: event.group ?? getServiceName(event), event: event.name }),
      ),
  };
}

const NEVER_SLOW: SlowWatch = { after: Infinity, tell: () => undefined };

function countCalls(next: Handler, seriesOf: SeriesOf, { after, tell }: SlowWatch = NEVER_SLOW): Handler {
  return (ctx) => {
    const series = seriesOf(ctx.caller);
    series.begun += 1;
    const startedAt = performance.now();
    const onEnded = (): void => {
      const milliseconds = performance.now() - startedAt;
      series.end(milliseconds);
      if (milliseconds > after) tell(ctx, milliseconds);
    };
    return next(ctx).then(
      (result) => {
        onEnded();
        return result;
      },
      (error: unknown) => {
        onEnded();
        series.fail(error);
        throw error;
      },
    );
  };
}

function countPackets(next: Carry, { packets, bytes }: Metrics["sent"]): Carry {
  return function carry(topicOrCommand, data, ...rest) {
    packets.inc();
    bytes.inc(data?.length ?? 0);
    return next.call(this, topicOrCommand, data, ...rest);
  };
}

function toLocalLabels(action: Definition): Labels {
  return { service: getServiceName(action), action: action.name, type: "local" };
}

/** A remote action has only its name. */
function getServiceName({ name, service }: Definition): string {
  return service?.fullName ?? name.slice(0, Math.max(0, name.lastIndexOf(".")));
}
