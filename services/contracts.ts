/**
 * What services know of each other: types alone, so that a service loads its own contract and nobody else's.
 * The contracts themselves, as values, are in all-contracts.ts.
 */
import { outboxWrite } from "../broker/channels/outbox.ts";
import { typedCall } from "../broker/contract/call.ts";
import type { ActionsOf, ChannelsOf, TasksOf } from "../broker/contract/define.ts";
import { implementWith } from "../broker/contract/implement.ts";
import { enqueueWrite } from "../broker/tasks/task.ts";
import type { accessContract } from "./access/contract.ts";
import type { aiContract } from "./ai/contract.ts";
import type { analyticsContract } from "./analytics/contract.ts";
import type { cartContract } from "./cart/contract.ts";
import type { catalogContract } from "./catalog/contract.ts";
import type { customerContract } from "./customer/contract.ts";
import type { disRouterContract } from "./dis-router/contract.ts";
import type { eventstoreContract } from "./eventstore/contract.ts";
import type { healthAnalyticsContract } from "./health-analytics/contract.ts";
import type { mailContract } from "./mail/contract.ts";
import type { mediaContract } from "./media/contract.ts";
import type { orderContract } from "./order/contract.ts";
import type { paymentContract } from "./payment/contract.ts";
import type { pipelineContract } from "./pipeline/contract.ts";
import type { searchContract } from "./search/contract.ts";
import type { userContract } from "./user/contract.ts";
import type { webhookContract } from "./webhook/contract.ts";

/** The contract of any service. */
export type AnyContract =
  | typeof accessContract
  | typeof aiContract
  | typeof analyticsContract
  | typeof cartContract
  | typeof catalogContract
  | typeof customerContract
  | typeof disRouterContract
  | typeof eventstoreContract
  | typeof healthAnalyticsContract
  | typeof mailContract
  | typeof mediaContract
  | typeof orderContract
  | typeof paymentContract
  | typeof pipelineContract
  | typeof searchContract
  | typeof userContract
  | typeof webhookContract;

export type Actions = ActionsOf<AnyContract>;
export type Events = ChannelsOf<AnyContract>;

/** Calls an action; the compiler checks its params and result: `call(ctx, "order.get", { orderId })`. */
export const call = typedCall<Actions>();

/**
 * Returns the Moleculer service of a contract; the payload of a durable event that it hears is typed by its channel.
 */
export const implement = implementWith<Events>();

/** Returns the write of a durable event, for `documents.atomically`: `outbox("order.created", payload, eventId)`. */
export const outbox = outboxWrite<Events>();

/** Returns the write of a durable task, for `documents.atomically`: `enqueue("catalog.sync", syncId, payload)`. */
export const enqueue = enqueueWrite<TasksOf<AnyContract>>();
