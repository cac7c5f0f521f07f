import type { ServiceBroker } from "moleculer";
import { errorType, inScope } from "../../mixins/tracing.ts";
import { metricsOf } from "../metrics/metrics.ts";
import { tracingOf } from "../tracing/tracer.ts";
import { messagingAttributes } from "./origin.ts";
import type { ChannelEvent, ChannelHandler } from "./port.ts";

/**
 * The handler with its times counted, in the scope of the request that caused the event (under the event's own id where none did), and within
 * a span of that request's trace that also points at the event's beginning.
 */
export function watched(broker: ServiceBroker, channel: string, consumer: ChannelHandler): ChannelHandler {
  const tracing = tracingOf(broker);
  const observe = metricsOf(broker).channels.bind(channel, consumer.group);
  const more = { "messaging.consumer.group.name": consumer.group };

  const handler = async (event: ChannelEvent): Promise<void> => {
    const { event_id: eventId, origin } = event;
    const { request_id: requestId = eventId, traceparent } = origin ?? {};
    const span = tracing.tracer?.begin(`process ${channel}`, {
      kind: "consumer",
      parent: traceparent,
      links: traceparent === undefined ? [] : [traceparent],
      attributes: { ...messagingAttributes("process", channel, eventId), ...more, "partline.request_id": requestId },
    });
    const startedAt = performance.now();
    try {
      await inScope({ requestId, span }, () => consumer.handler(event));
      observe("done", performance.now() - startedAt);
    } catch (error) {
      observe("failed", performance.now() - startedAt);
      span?.fail(errorType(error));
      throw error;
    } finally {
      span?.end();
    }
  };
  return { ...consumer, handler };
}
