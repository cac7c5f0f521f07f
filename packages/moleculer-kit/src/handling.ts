import type { ServiceBroker } from "moleculer";
import { withScope, endWithWork } from "@partline/toolkit";
import { getMetrics } from "./metrics/metrics.ts";
import { getTracing } from "./tracing/tracer.ts";
import { type ChannelEvent, type ChannelHandler, type EventOrigin, createMessagingAttributes } from "@partline/durable";

interface Handled {
  /** The channel, or the kind of task. */
  name: string;
  id: string;
  origin?: EventOrigin | undefined;
  group?: string;
}

/** Does the work in the scope of the request that caused it (else its own id), in a span that links to the cause. */
export async function runInOrigin(
  broker: ServiceBroker,
  { name, id, origin, group }: Handled,
  work: () => Promise<void>,
): Promise<void> {
  const { request_id: requestId = id, traceparent } = origin ?? {};
  const span = getTracing(broker).tracer?.begin(`process ${name}`, {
    kind: "consumer",
    parent: traceparent,
    links: traceparent === undefined ? [] : [traceparent],
    attributes: {
      ...createMessagingAttributes("process", name, id),
      ...(group === undefined ? {} : { "messaging.consumer.group.name": group }),
      "partline.request_id": requestId,
    },
  });
  await endWithWork(span, () => withScope({ requestId, span }, work));
}

/** Returns the handler, timed and in the scope of the request that caused the event. */
export function watchHandler(broker: ServiceBroker, channel: string, consumer: ChannelHandler): ChannelHandler {
  const { handlings } = getMetrics(broker);
  const { group } = consumer;
  const [done, failed] = ["done", "failed"].map((outcome) => {
    const labels = { channel, group, outcome };
    handlings.zero(labels);
    return handlings.labels(labels);
  });

  const handler = async (event: ChannelEvent): Promise<void> => {
    const { event_id: id, origin } = event;
    const startedAt = performance.now();
    let outcome = failed!;
    try {
      await runInOrigin(broker, { name: channel, id, origin, group }, () => consumer.handler(event));
      outcome = done!;
    } finally {
      outcome.observe((performance.now() - startedAt) / 1_000);
    }
  };
  return { ...consumer, handler };
}
