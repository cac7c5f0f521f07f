import type { Middleware, ServiceBroker } from "moleculer";
import type { SeriesOf } from "./calls.ts";
import type { Settings } from "../settings.ts";
import { slowAfter, SlowCalls } from "../slow-calls.ts";
import { attachMetrics, Metrics } from "./metrics.ts";
import type { Labels } from "./read-metric.ts";
import { outerMiddleware, type Handler, type InternalContext } from "../moleculer/internals.ts";

/** Missing in Moleculer's declarations. */
type Definition = {
  name: string;
  group?: string;
  service?: { fullName: string };
  timeout?: number;
  bulkhead?: { enabled?: boolean };
};
/** What to do with a call that took longer, milliseconds. */
interface SlowWatch {
  after: number;
  tell: (ctx: InternalContext, milliseconds: number) => void;
}
type Carry = (this: unknown, topicOrCommand: string, data: Buffer, ...rest: unknown[]) => unknown;

/** Counts calls, events and packets, and logs slow calls. */
export function metricsMiddleware({ slowCallMs }: Pick<Settings, "slowCallMs">): Middleware {
  const metrics = new Metrics();
  const outer = (broker: ServiceBroker) => {
    attachMetrics(broker, metrics);
    return callHooks(metrics, broker, slowCallMs);
  };
  return outerMiddleware("Metrics", outer, {
    localAction: (next: Handler, action: Definition) =>
      action.bulkhead?.enabled ? metrics.bulkheads.admitted(action.name, localLabels(action), next) : next,
    transporterSend: (next: Carry): Carry => carried(next, metrics.sent),
    transporterReceive: (next: Carry): Carry => carried(next, metrics.received),
    starting: () => metrics.eventLoop.start(),
    stopped: () => metrics.eventLoop.stop(),
  });
}

function callHooks({ requests, events }: Metrics, broker: ServiceBroker, slowCallMs: number) {
  const slowCalls = new SlowCalls(broker.getLogger("calls"));
  // Logged on the node where it was slow; for a call without an answer the route is logged.
  const watchOf = ({ name, timeout }: Definition): SlowWatch => ({
    after: slowAfter(slowCallMs, timeout),
    tell: ({ caller, requestID, nodeID }, milliseconds) =>
      slowCalls.tell("action", name, milliseconds, {
        request_id: requestID,
        caller: caller ?? "",
        caller_node: nodeID ?? broker.nodeID,
      }),
  });
  return {
    localAction: (next: Handler, action: Definition) =>
      counted(next, requests.bind(localLabels(action)), watchOf(action)),
    remoteAction: (next: Handler, action: Definition) =>
      counted(next, requests.bind({ service: serviceOf(action), action: action.name, type: "remote" })),
    localEvent: (next: Handler, event: Definition) =>
      counted(
        next,
        events.bind({ service: serviceOf(event), group: event.group ?? serviceOf(event), event: event.name }),
      ),
  };
}

const NEVER_SLOW: SlowWatch = { after: Infinity, tell: () => undefined };

function counted(next: Handler, seriesOf: SeriesOf, { after, tell }: SlowWatch = NEVER_SLOW): Handler {
  return (ctx) => {
    const series = seriesOf(ctx.caller);
    series.begun += 1;
    const startedAt = performance.now();
    const ended = (): void => {
      const milliseconds = performance.now() - startedAt;
      series.end(milliseconds);
      if (milliseconds > after) tell(ctx, milliseconds);
    };
    return next(ctx).then(
      (result) => {
        ended();
        return result;
      },
      (error: unknown) => {
        ended();
        series.fail(error);
        throw error;
      },
    );
  };
}

function carried(next: Carry, { packets, bytes }: Metrics["sent"]): Carry {
  return function carry(topicOrCommand, data, ...rest) {
    packets.inc();
    bytes.inc(data?.length ?? 0);
    return next.call(this, topicOrCommand, data, ...rest);
  };
}

function localLabels(action: Definition): Labels {
  return { service: serviceOf(action), action: action.name, type: "local" };
}

/** A remote action has only its name. */
function serviceOf({ name, service }: Definition): string {
  return service?.fullName ?? name.slice(0, Math.max(0, name.lastIndexOf(".")));
}
