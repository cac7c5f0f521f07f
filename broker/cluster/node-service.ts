import type { ServiceBroker, ServiceSchema } from "moleculer";
import { PartlineError } from "../../mixins/errors.ts";
import { getCaller, type CallContext } from "../contract/context.ts";
import { getInFlight, findTransit } from "@partline/moleculer-kit";
import { getRuntime } from "../runtime.ts";

/** Called by nodeID alone; a `$` keeps it out of lists of services. */
export const NODE_SERVICE = "$partline";

export interface NodeStatus {
  host: string;
  pid: number;
  version: string;
  state: "running" | "draining";
  /** Parts that the node runs, as in SERVICES: services, `http:` entry points, `sandbox`. */
  runs: string[];
  uptimeSeconds: number;
  /** Share of one processor, percent, since the last call or the start. */
  cpuPercent: number;
  memoryMb: number;
  /** Calls of other nodes. */
  serving: number;
  /** Calls to other nodes. */
  waiting: number;
}

/** For admins. A drained node finishes what it has begun, then its process ends. */
export function createNodeService(broker: ServiceBroker, host: string): ServiceSchema {
  const runtime = getRuntime(broker);
  const { services, entryPoints, sandbox } = runtime.settings.run;
  let last = { at: performance.now() - process.uptime() * 1_000, usage: { user: 0, system: 0 } };

  const measureCpuPercent = (): number => {
    const { user, system } = process.cpuUsage(last.usage);
    const elapsedMs = Math.max(1, performance.now() - last.at);
    last = { at: performance.now(), usage: process.cpuUsage() };
    return Math.round((user + system) / 10 / elapsedMs);
  };
  const getStatus = (ctx: CallContext<object>): NodeStatus => ({
    host,
    pid: process.pid,
    version: runtime.settings.version,
    state: runtime.draining ? "draining" : "running",
    runs: [...services, ...entryPoints.map((entry) => `http:${entry}`), ...(sandbox ? ["sandbox"] : [])],
    uptimeSeconds: Math.floor(process.uptime()),
    cpuPercent: measureCpuPercent(),
    memoryMb: Math.round(process.memoryUsage.rss() / 1_048_576),
    serving: getInFlight(broker).count - (ctx.nodeID === broker.nodeID ? 0 : 1),
    waiting: findTransit(broker)?.pendingRequests.size ?? 0,
  });
  const requireAdmin =
    <R>(handler: (ctx: CallContext<object>) => R) =>
    (ctx: CallContext<object>): R => {
      if (!getCaller(ctx).admin) throw new PartlineError("FORBIDDEN", "Only operators may do this");
      return handler(ctx);
    };

  return {
    name: NODE_SERVICE,
    actions: {
      status: { params: {}, handler: requireAdmin(getStatus) },
      drain: {
        params: {},
        handler: requireAdmin(() => {
          if (!runtime.leave) throw new PartlineError("FORBIDDEN", "This process cannot be drained");
          setImmediate(runtime.leave);
        }),
      },
    },
  };
}
