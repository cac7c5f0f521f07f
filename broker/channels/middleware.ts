import type { Middleware, Service } from "moleculer";
import { serviceRuntimeOf } from "../runtime.ts";
import { watched } from "./handling.ts";
import type { ChannelHandlers } from "./port.ts";

export function channelsMiddleware(): Middleware {
  return {
    name: "DurableChannels",
    serviceCreated(service: Service) {
      const handlers = Object.entries((service.schema as { channels?: ChannelHandlers }).channels ?? {});
      if (handlers.length === 0) return;
      const broker = service.broker;
      const { channels } = serviceRuntimeOf(broker);
      for (const [channel, handler] of handlers)
        if (handler) channels.subscribe(channel, watched(broker, channel, handler));
    },
  };
}
