import { toActor, type Actor, type Caller } from "../../broker/contract/context.ts";
import { type Params, listPersonalFields } from "@partline/api-contracts";
import { auditSystemWork } from "../../broker/audit/entry.ts";
import { hasScope, type Scope } from "../../broker/contract/scopes.ts";
import { type AtomicWrite, type DocumentStore, isWritten, compareAndSet, createReplacement } from "@partline/durable";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import type { Actions } from "../contracts.ts";
import { readPage } from "../shared/paging.ts";
import {
  DELETED_KEPT_MS,
  ENDED_MAKER_KEPT_MS,
  ENDED_MAKERS,
  ENDPOINTS,
  type EndedMaker,
  type EndpointDocument,
} from "./collections.ts";
import type { EventTypes } from "./messages.ts";
import { findResolvedFlaw, type Policy } from "./post.ts";
import { createSecret, rotateSecrets } from "./secrets.ts";

/**
 * Refuses a caller that may not read the events elsewhere, with orders or in the event store: webhooks must not reveal
 * more. @throws FORBIDDEN
 */
function assertMayHear(types: EventTypes, caller: Caller, eventTypes: readonly string[]): void {
  for (const type of eventTypes) {
    const event = types.get(type);
    const needed: Scope[] = [event?.recorded.aggregate === "order" ? "orders:read" : "events:read"];
    if (event && listPersonalFields(event.payload).length > 0) needed.push("users:read");
    const missing = needed.find((scope) => !hasScope(caller, scope));
    if (missing) throw new PartlineError("FORBIDDEN", `Receiving ${type} also needs the scope ${missing}`);
  }
}

export type Endpoints = ReturnType<typeof createEndpoints>;

export function createEndpoints(
  documents: DocumentStore,
  types: EventTypes,
  policy: Policy,
  auditKeptMs: number | undefined,
) {
  const endpoints = documents.collection<EndpointDocument>(ENDPOINTS);
  const endedMakers = documents.collection<EndedMaker>(ENDED_MAKERS);
  const living = { deletedAt: { $exists: false } };

  /** @throws VALIDATION_FAILED naming the field */
  const check = async ({ url, eventTypes = [] }: { url?: string; eventTypes?: string[] }): Promise<void> => {
    const flaw = url === undefined ? undefined : await findResolvedFlaw(url, policy);
    if (flaw !== undefined) throw invalidField("url", flaw);
    const index = eventTypes.findIndex((type) => !types.has(type));
    const knownTypes = [...types.keys()].sort().join(", ");
    if (index !== -1) throw invalidField(`eventTypes[${index}]`, `must be one of: ${knownTypes}`);
  };
  /** @throws NOT_FOUND */
  const get = async (endpointId: string): Promise<EndpointDocument> => {
    const endpoint = await endpoints.findOne({ _id: endpointId, ...living });
    if (!endpoint) throw notFound("Endpoint", endpointId);
    return endpoint;
  };
  /** @throws NOT_FOUND */
  const change = (
    endpointId: string,
    decide: (endpoint: EndpointDocument, now: Date) => EndpointDocument,
  ): Promise<EndpointDocument> =>
    compareAndSet(documents, "The endpoint", async () => {
      const previous = await get(endpointId);
      const now = new Date(Math.max(Date.now(), previous.updatedAt.getTime() + 1));
      const next = { ...decide(previous, now), updatedAt: now };
      return { conditions: [createReplacement(ENDPOINTS, previous, "updatedAt", next)], result: next };
    });

  /** Disables what a key or a member of staff made, each with an entry of the audit stream. A repeat does nothing. */
  const disableMadeBy = async (maker: Actor): Promise<void> => {
    for (const { _id } of await endpoints.find({ createdBy: maker, disabled: false, ...living }))
      await compareAndSet(documents, "The endpoint", async () => {
        const previous = await endpoints.findOne({ _id, createdBy: maker, disabled: false, ...living });
        if (!previous) return { conditions: [], result: undefined };
        const now = new Date(Math.max(Date.now(), previous.updatedAt.getTime() + 1));
        const after = { ...previous, disabled: true, disabledReason: "maker_ended" as const, updatedAt: now };
        const entry = createEndAudit(_id, maker, now, auditKeptMs);
        return {
          conditions: [createReplacement(ENDPOINTS, previous, "updatedAt", after)],
          also: [entry],
          result: undefined,
        };
      });
  };
  /**
   * Disables an endpoint that its maker wrote after its own end: nodes know a revoked key for five seconds. Called after
   * the write, since `endMaker` disables all that was written before.
   */
  const disableIfLate = async (endpoint: EndpointDocument, caller: Caller): Promise<EndpointDocument> => {
    const maker = toActor(caller);
    if (endpoint.createdBy !== maker || !(await endedMakers.findOne({ _id: maker }))) return endpoint;
    await disableMadeBy(maker);
    return get(endpoint._id);
  };

  return {
    get,
    listAll: (): Promise<EndpointDocument[]> => endpoints.find(living),
    find: (endpointId: string): Promise<EndpointDocument | null> => endpoints.findOne({ _id: endpointId, ...living }),
    list: (page: { page: number; pageSize: number }) => readPage(endpoints, living, { createdAt: 1 }, page),
    async create(
      { secret = createSecret(), ...params }: Params<Actions["webhook.createEndpoint"]>,
      caller: Caller,
      id: string,
    ) {
      await check(params);
      assertMayHear(types, caller, params.eventTypes);
      const now = new Date();
      const { url, eventTypes, description, ordered, disabled } = params;
      const endpoint: EndpointDocument = {
        _id: `we_${id}`,
        url: new URL(url).href,
        eventTypes: [...new Set(eventTypes)],
        description,
        ordered,
        disabled,
        disabledReason: disabled ? "by_admin" : undefined,
        createdBy: toActor(caller),
        secrets: [{ value: secret }],
        createdAt: now,
        updatedAt: now,
      };
      // Of a request that runs again, the first run made it.
      const isNew = await isWritten(endpoints.insertOne(endpoint), "DUPLICATE_KEY");
      return disableIfLate(isNew ? endpoint : await get(endpoint._id), caller);
    },
    async update({ endpointId, ...changes }: Params<Actions["webhook.updateEndpoint"]>, caller: Caller) {
      await check(changes);
      const endpoint = await change(endpointId, (previous) => {
        const { url = previous.url, eventTypes = previous.eventTypes, disabled = previous.disabled } = changes;
        if (changes.url ?? changes.eventTypes) assertMayHear(types, caller, eventTypes);
        return {
          ...previous,
          ...changes,
          url: new URL(url).href,
          eventTypes: [...new Set(eventTypes)],
          disabled,
          disabledReason: disabled ? (previous.disabledReason ?? "by_admin") : undefined,
          // One that is enabled again has a new start.
          failingSince: previous.disabled && !disabled ? undefined : previous.failingSince,
          createdBy: previous.disabledReason === "maker_ended" && !disabled ? toActor(caller) : previous.createdBy,
        };
      });
      return disableIfLate(endpoint, caller);
    },
    findMadeBy: (maker: string): Promise<EndpointDocument[]> =>
      endpoints.find({ createdBy: maker, ...living }, { sort: { createdAt: 1 } }),
    disableMadeBy,
    /** Disables what a maker made that has ended for good, and what it writes yet. */
    async endMaker(maker: Actor): Promise<void> {
      const purgeAt = new Date(Date.now() + ENDED_MAKER_KEPT_MS);
      await endedMakers.replaceOne({ _id: maker }, { _id: maker, purgeAt }, { upsert: true });
      await disableMadeBy(maker);
    },
    rotate: ({ endpointId, secret = createSecret(), overlapHours }: Params<Actions["webhook.rotateSecret"]>) =>
      change(endpointId, (previous, now) => ({
        ...previous,
        secrets: rotateSecrets(previous.secrets, secret, overlapHours, now),
      })),
    remove: (endpointId: string) =>
      change(endpointId, (previous, now) => ({
        ...previous,
        secrets: [],
        deletedAt: now,
        purgeAt: new Date(now.getTime() + DELETED_KEPT_MS),
      })),
  };
}

function createEndAudit(endpointId: string, maker: Actor, endedAt: Date, keptMs: number | undefined): AtomicWrite {
  const facts = { action: "webhook.disableMadeBy", object: "webhook-endpoint", objectId: endpointId };
  const changes = [
    { field: "disabled", before: false, after: true },
    { field: "disabledReason", before: null, after: "maker_ended" },
  ];
  return auditSystemWork({ ...facts, at: endedAt, requestId: `end-of-${maker}`, changes }, keptMs);
}
