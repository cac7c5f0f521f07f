import type { ServiceSchema } from "moleculer";
import type { ChannelHandlers } from "../../packages/durable/src/channels/port.ts";
import { implement } from "../../broker/contract/implement.ts";

/** A service that does nothing but consume durable channels. */
export function consumerService(name: string, channels: ChannelHandlers): () => ServiceSchema {
  return () => implement({ name, summary: "Consumes", actions: {} }, { actions: {}, channels });
}
