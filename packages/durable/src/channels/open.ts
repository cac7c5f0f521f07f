import type { JetStreamChannelsDeps } from "./jetstream/jetstream-channels.ts";
import type { Channels } from "./port.ts";
import { createStoredChannels, type StoredChannelsDeps } from "./stored/stored-channels.ts";

/** Opens durable channels: over the document store alone, or over NATS if it is given. */
export async function openChannels(
  deps: StoredChannelsDeps,
  nats?: Pick<JetStreamChannelsDeps, "servers" | "namespace" | "secret" | "clientName">,
): Promise<Channels> {
  if (!nats) return createStoredChannels(deps);
  // Loaded on demand: a process without NATS has no client for it.
  const { createJetStreamChannels } = await import("./jetstream/jetstream-channels.ts");
  return createJetStreamChannels({ ...deps, ...nats });
}
