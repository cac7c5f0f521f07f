import { createAsyncApiDocument as describeEvents, type DurableEvents } from "@partline/api-contracts";
import { createNames } from "@partline/durable";
import { examples } from "../examples.ts";

interface AsyncApiInput {
  channels: DurableEvents;
  version: string;
  namespace: string;
}

const DESCRIPTION =
  "Durable events of Partline. Those that the event store records are available as webhooks, signed by Standard Webhooks; with NATS " +
  "all of them can be read from JetStream. Each is delivered at least once. A version of an event keeps its fields and may get " +
  "further ones: ignore those that you do not know. Amounts are in whole cents.";

/** The AsyncAPI 3 description of the durable events, from the contracts alone. */
export function createAsyncApiDocument({ channels, version, namespace }: AsyncApiInput) {
  return describeEvents({
    channels,
    info: { title: "Partline: events", version, description: DESCRIPTION, license: { name: "MIT" } },
    webhooks: "POST requests to the endpoints that staff adds by `/api/admin/webhooks`.",
    names: createNames(namespace),
    examples,
  });
}
