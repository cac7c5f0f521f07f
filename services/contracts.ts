import { outboxWrite } from "../broker/channels/outbox.ts";
import { typedCall } from "../broker/contract/call.ts";
import type { ActionsOf, ChannelsOf } from "../broker/contract/define.ts";
import { aiContract } from "./ai/contract.ts";
import { analyticsContract } from "./analytics/contract.ts";
import { cartContract } from "./cart/contract.ts";
import { catalogContract } from "./catalog/contract.ts";
import { customerContract } from "./customer/contract.ts";
import { disRouterContract } from "./dis-router/contract.ts";
import { eventstoreContract } from "./eventstore/contract.ts";
import { mediaContract } from "./media/contract.ts";
import { healthAnalyticsContract } from "./health-analytics/contract.ts";
import { orderContract } from "./order/contract.ts";
import { paymentContract } from "./payment/contract.ts";
import { pipelineContract } from "./pipeline/contract.ts";
import { searchContract } from "./search/contract.ts";
import { userContract } from "./user/contract.ts";

/** Every service's contract: what routes, OpenAPI and the typed client are made from. */
export const contracts = [
  cartContract,
  paymentContract,
  orderContract,
  customerContract,
  userContract,
  catalogContract,
  searchContract,
  eventstoreContract,
  disRouterContract,
  mediaContract,
  analyticsContract,
  healthAnalyticsContract,
  aiContract,
  pipelineContract,
] as const;

type AnyContract = (typeof contracts)[number];
export type Actions = ActionsOf<AnyContract>;
export type Events = ChannelsOf<AnyContract>;

/** `call(ctx, "order.get", { orderId })`: params and result are checked by the compiler. */
export const call = typedCall<Actions>();

/** `outbox("order.created", payload, eventId)`: the write of a durable event, for `documents.atomically`. */
export const outbox = outboxWrite<Events>();
