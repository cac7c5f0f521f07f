import type { Context, Middleware, ServiceBroker } from "moleculer";
import type { SeriesOf } from "./calls.ts";
import { attachMetrics, Metrics } from "./metrics.ts";

type Handler = (ctx: Context) => Promise<unknown>;
/** What Moleculer hands its middlewares; its declarations leave the service's name and the arguments out. */
type Definition = { name: string; group?: string; service?: { fullName: string }; uncounted?: boolean };
type Carry = (this: unknown, topicOrCommand: string, data: Buffer, ...rest: unknown[]) => unknown;

/** Counts calls, events and packets. It costs a call two clock readings and a handful of additions. */
export function metricsMiddleware(): Middleware {
  const metrics = new Metrics();
  const setup = {
    name: "MetricsSetup",
    created: (broker: ServiceBroker) => {
      attachMetrics(broker, metrics);
      // Behind Moleculer's own middlewares and so wrapped around them: what they refuse or give up counts too.
      broker.middlewares.add(callHooks(metrics) as unknown as Middleware);
    },
    transporterSend: (next: Carry): Carry => carried(next, metrics.transporter.sent),
    transporterReceive: (next: Carry): Carry => carried(next, metrics.transporter.received),
    starting: () => metrics.eventLoop.start(),
    stopped: () => metrics.eventLoop.stop(),
  };
  return setup as unknown as Middleware;
}

function callHooks({ requests, events }: Metrics) {
  const bindAction = (type: "local" | "remote") => (next: Handler, action: Definition) =>
    action.uncounted ? next : counted(next, requests.bind({ service: serviceOf(action), action: action.name, type }));
  return {
    name: "Metrics",
    localAction: bindAction("local"),
    remoteAction: bindAction("remote"),
    localEvent: (next: Handler, event: Definition) =>
      counted(next, events.bind({ service: serviceOf(event), group: event.group ?? serviceOf(event), event: event.name })),
  };
}

function counted(next: Handler, seriesOf: SeriesOf): Handler {
  return (ctx) => {
    const series = seriesOf(ctx.caller);
    series.begin();
    const startedAt = performance.now();
    return next(ctx).then(
      (result) => {
        series.end(performance.now() - startedAt);
        return result;
      },
      (error: unknown) => {
        series.end(performance.now() - startedAt);
        series.fail(error);
        throw error;
      },
    );
  };
}

function carried(next: Carry, counter: { packets: number; bytes: number }): Carry {
  return function carry(topicOrCommand, data, ...rest) {
    counter.packets += 1;
    counter.bytes += data?.length ?? 0;
    return next.call(this, topicOrCommand, data, ...rest);
  };
}

/** A remote action's service is told by its name alone. */
function serviceOf({ name, service }: Definition): string {
  return service?.fullName ?? name.slice(0, Math.max(0, name.lastIndexOf(".")));
}
