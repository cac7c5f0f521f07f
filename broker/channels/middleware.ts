import type { Middleware, Service, ServiceBroker } from "moleculer";
import { serviceRuntimeOf } from "../runtime.ts";
import { watched } from "./handling.ts";
import type { ChannelHandlers } from "./port.ts";

/** Subscribes what a service's schema holds under `channels` before the service starts. */
export function channelsMiddleware(): Middleware {
  return {
    name: "DurableChannels",
    serviceCreated(service: Service) {
      const handlers: ChannelHandlers = (service.schema as { channels?: ChannelHandlers }).channels ?? {};
      if (Object.keys(handlers).length === 0) return;
      const broker = service.broker as ServiceBroker;
      const { channels } = serviceRuntimeOf(broker);
      for (const [channel, handler] of Object.entries(handlers))
        channels.subscribe(channel, watched(broker, channel, handler));
    },
  };
}
