import type { Middleware, ServiceBroker } from "moleculer";
import { telemetryOf } from "./telemetry.ts";

/** Tells of the node from the moment that all of its services have started until it is told to stop. */
export function telemetryMiddleware(): Middleware {
  return {
    name: "Telemetry",
    created: (broker: ServiceBroker) => void telemetryOf(broker),
    started: (broker: ServiceBroker) => telemetryOf(broker).start(),
    stopping: (broker: ServiceBroker) => telemetryOf(broker).stop(),
  } as unknown as Middleware;
}
