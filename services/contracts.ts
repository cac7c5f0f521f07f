/**
 * Types by which services know each other; a service loads only its own contract. The contracts themselves, as values,
 * are in all-contracts.ts.
 */
import { enqueueWrite, createOutboxWrite } from "@partline/durable";
import { createTypedCall } from "@partline/moleculer-kit";
import type { ActionsOf, ChannelsOf, Result, StoredOf, TasksOf } from "@partline/api-contracts";
import { implementWith } from "../broker/contract/implement.ts";
import type { contracts } from "./all-contracts.ts";

/** The contract of any service. */
export type AnyContract = (typeof contracts)[number];

export type Actions = ActionsOf<AnyContract>;
export type Events = ChannelsOf<AnyContract>;

export type OrderChannel = Extract<keyof Events, `order.${string}`>;

type Listed = Result<Actions["eventstore.list"]>["events"][number];
/** An event that the event store lists; one of a client has another type than these. */
export type StoredEvent = Omit<Listed, "aggregate_type" | "event_type" | "data"> & StoredOf<AnyContract>;

/** Calls an action; the compiler checks its params and result: `call(ctx, "order.get", { orderId })`. */
export const call = createTypedCall<Actions>();

/**
 * Returns the Moleculer service of a contract; the payload of a durable event that it hears is typed by its channel.
 */
export const implement = implementWith<Events>();

/** Returns the write of a durable event, for `documents.atomically`: `outbox("order.created", payload, eventId)`. */
export const outbox = createOutboxWrite<Events>();

/** Returns the write of a durable task, for `documents.atomically`: `enqueue("catalog.sync", syncId, payload)`. */
export const enqueue = enqueueWrite<TasksOf<AnyContract>>();
