import { getAt } from "@partline/toolkit";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import type { ChannelEvent, ChannelHandlers } from "@partline/durable";
import { presentFields, type Infer } from "@partline/api-contracts";
import { getCaller, createId } from "../../broker/contract/context.ts";
import { listScopes } from "../../broker/contract/scopes.ts";
import { getMetrics } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { notFound } from "../../mixins/errors.ts";
import { implement } from "../contracts.ts";
import { findEarlierErasureReason } from "../shared/earlier-erasure.ts";
import { toFilter, readPage } from "../shared/paging.ts";
import {
  ATTEMPTS,
  DELIVERIES,
  toDeliveryId,
  PERSONAL,
  type AttemptDocument,
  type DeliveryDocument,
  type EndpointDocument,
  type PersonalDocument,
} from "./collections.ts";
import { attemptRule, deliveryRule, endpointRule, webhookContract } from "./contract.ts";
import { createDeliverer } from "./delivering.ts";
import { createEndpoints } from "./endpoints.ts";
import { listEventTypes, storeMessage, storeTest } from "./messages.ts";
import { createPoster } from "./post.ts";
import { assertEnabled, createReplays } from "./replay.ts";
import { listValidSecrets } from "./secrets.ts";

const EVENTS_AT_ONCE = 32;
const LOGGED_ATTEMPTS = 100;

export default function createWebhookService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels, tasks, events } = getServiceRuntime(broker);
  const { production, version } = settings;
  const eventTypes = listEventTypes(events);
  const endpoints = createEndpoints(documents, eventTypes, { production }, settings.auditKeptMs);
  const deliveries = documents.collection<DeliveryDocument>(DELIVERIES);
  const attempts = documents.collection<AttemptDocument>(ATTEMPTS);
  const personal = documents.collection<PersonalDocument>(PERSONAL);
  const poster = createPoster({ production, userAgent: `Partline/${version}` });
  const replays = createReplays(documents);
  const help = "Requests sent to webhook endpoints";
  const attempted = getMetrics(broker).getCounter("partline_webhook_attempts_total", help, ["outcome"]);
  const count = (outcome: "delivered" | "failed"): void => attempted.inc({ outcome });
  const deliver = createDeliverer(documents, endpoints, poster, count, () => channels.wake());

  const forgetOrder = (aggregateId: string): Promise<unknown> => personal.deleteMany({ aggregateId });

  const eventHandler = {
    group: "webhook",
    concurrency: EVENTS_AT_ONCE,
    async handler(event: ChannelEvent) {
      const isDue = await storeMessage(documents, await endpoints.listAll(), eventTypes, event);
      if (isDue) tasks.wake();
    },
  };
  const everyEvent: ChannelHandlers = Object.fromEntries(
    [...eventTypes.keys()].map((channel) => [channel, eventHandler]),
  );

  return implement(webhookContract, {
    actions: {
      async listEndpoints({ params }) {
        const { found: page, pagination } = await endpoints.list(params);
        return { endpoints: page.map(presentEndpoint), pagination };
      },
      async createEndpoint(ctx) {
        const endpoint = await endpoints.create(ctx.params, getCaller(ctx), createId(ctx));
        return presentEndpointWithSecret(endpoint);
      },
      getEndpoint: async ({ params: { endpointId } }) => presentEndpoint(await endpoints.get(endpointId)),
      updateEndpoint: async (ctx) => presentEndpoint(await endpoints.update(ctx.params, getCaller(ctx))),
      async deleteEndpoint({ params: { endpointId } }) {
        await endpoints.remove(endpointId);
        return { endpointId, deleted: true };
      },
      rotateSecret: async ({ params }) => presentEndpointWithSecret(await endpoints.rotate(params)),
      async listDeliveries({ params: { endpointId, state, ...page } }) {
        await endpoints.get(endpointId);
        const { found, pagination } = await readPage(
          deliveries,
          toFilter({ endpointId, state }),
          { occurredAt: -1 },
          page,
        );
        return { deliveries: found.map(presentDelivery), pagination };
      },
      async getDelivery({ params: { endpointId, messageId } }) {
        await endpoints.get(endpointId);
        const _id = toDeliveryId(endpointId, messageId);
        const delivery = await deliveries.findOne({ _id });
        if (!delivery) throw notFound("Delivery", messageId);
        const log = await attempts.find({ deliveryId: _id }, { sort: { attemptedAt: -1 }, limit: LOGGED_ATTEMPTS });
        return { ...presentDelivery(delivery), log: log.map(presentAttempt) };
      },
      async findEndpoints({ params: { maker } }) {
        return { endpointIds: (await endpoints.findMadeBy(maker)).map(({ _id }) => _id) };
      },
      async sendTest(ctx) {
        const endpoint = await endpoints.get(ctx.params.endpointId);
        assertEnabled(endpoint);
        const delivery = await storeTest(documents, endpoint, createId(ctx));
        tasks.wake();
        return presentDelivery(delivery);
      },
      async replayDelivery(ctx) {
        const endpoint = await endpoints.get(ctx.params.endpointId);
        assertEnabled(endpoint);
        const delivery = await replays.replayOne(endpoint, ctx.params.messageId, createId(ctx));
        tasks.wake();
        return presentDelivery(delivery);
      },
      async replayDeliveries(ctx) {
        assertEnabled(await endpoints.get(ctx.params.endpointId));
        const replay = await replays.replayMany(ctx.params, createId(ctx));
        tasks.wake();
        return replay;
      },
    },
    channels: {
      ...everyEvent,
      "order.updated": {
        ...eventHandler,
        async handler(event) {
          if (findEarlierErasureReason(event)) await forgetOrder(event.payload.orderId);
          await eventHandler.handler(event);
        },
      },
      "order.erased": {
        ...eventHandler,
        async handler(event) {
          await forgetOrder(event.payload.orderId);
          await eventHandler.handler(event);
        },
      },
      "user.deleted": {
        group: "webhook",
        async handler({ payload: { userId } }) {
          await personal.deleteMany({ userId });
          await endpoints.endMaker(`user:${userId}`);
        },
      },
      "user.role_changed": {
        group: "webhook",
        async handler({ payload: { userId, role } }) {
          if (!listScopes(role).includes("webhooks:write")) await endpoints.disableMadeBy(`user:${userId}`);
        },
      },
      "key.revoked": { group: "webhook", handler: ({ payload: { keyId } }) => endpoints.endMaker(`key:${keyId}`) },
    },
    tasks: { "webhook.deliver": deliver, "webhook.replay": replays.handler },
    stopped: () => poster.close(),
  });
}

function presentEndpoint(endpoint: EndpointDocument): Infer<typeof endpointRule> {
  const secretExpiresAt = listValidSecrets(endpoint.secrets, new Date())[1]?.expiresAt;
  return presentFields(endpointRule.props, {
    ...endpoint,
    endpointId: endpoint._id,
    secretExpiresAt: secretExpiresAt === undefined ? undefined : new Date(secretExpiresAt),
  });
}

function presentEndpointWithSecret(endpoint: EndpointDocument) {
  return { ...presentEndpoint(endpoint), secret: getAt(endpoint.secrets, 0).value };
}

const presentDelivery = (delivery: DeliveryDocument): Infer<typeof deliveryRule> =>
  presentFields(deliveryRule.props, delivery);

const presentAttempt = (attempt: AttemptDocument): Infer<typeof attemptRule> =>
  presentFields(attemptRule.props, { ...attempt, answer: attempt.answer || undefined });
