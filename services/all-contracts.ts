/**
 * Every service's contract, as values: for the gateway and the launcher, which passes the durable events to services.
 * Services import types, from contracts.ts.
 */
import type { DurableEvents } from "@partline/api-contracts";
import type { ServiceContract } from "../broker/contract/define.ts";
import { accessContract } from "./access/contract.ts";
import { aiContract } from "./ai/contract.ts";
import { analyticsContract } from "./analytics/contract.ts";
import { cartContract } from "./cart/contract.ts";
import { catalogContract } from "./catalog/contract.ts";
import { customerContract } from "./customer/contract.ts";
import { disRouterContract } from "./dis-router/contract.ts";
import { eventstoreContract } from "./eventstore/contract.ts";
import { healthAnalyticsContract } from "./health-analytics/contract.ts";
import { mailContract } from "./mail/contract.ts";
import { mediaContract } from "./media/contract.ts";
import { orderContract } from "./order/contract.ts";
import { paymentContract } from "./payment/contract.ts";
import { pipelineContract } from "./pipeline/contract.ts";
import { searchContract } from "./search/contract.ts";
import { settingsContract } from "./settings/contract.ts";
import { userContract } from "./user/contract.ts";
import { webhookContract } from "./webhook/contract.ts";

/** Contracts by service name. */
export const contractsByName = {
  cart: cartContract,
  payment: paymentContract,
  order: orderContract,
  customer: customerContract,
  user: userContract,
  access: accessContract,
  settings: settingsContract,
  catalog: catalogContract,
  search: searchContract,
  eventstore: eventstoreContract,
  "dis-router": disRouterContract,
  mail: mailContract,
  media: mediaContract,
  analytics: analyticsContract,
  "health-analytics": healthAnalyticsContract,
  ai: aiContract,
  pipeline: pipelineContract,
  webhook: webhookContract,
};

/** Contracts from which routes, OpenAPI and the launcher are made. */
export const contracts = Object.values(contractsByName);

/** Every durable event of the contracts, by channel. */
export const CHANNELS: DurableEvents = new Map(
  (contracts as readonly ServiceContract[]).flatMap(({ channels = {} }) => Object.entries(channels)),
);
