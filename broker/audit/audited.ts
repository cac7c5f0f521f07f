import type { Context } from "moleculer";
import { ulid } from "ulid";
import { errorCode, hasCode } from "../../mixins/errors.ts";
import { actorOf, callerOf, type CallContext } from "../contract/context.ts";
import type { ActionDefinition, ServiceContract } from "../contract/define.ts";
import { serviceRuntimeOf } from "../runtime.ts";
import { changesBetween } from "./changes.ts";
import { AUDIT, type AuditEntry, type FieldChange } from "./entry.ts";

type Handler = (ctx: CallContext<unknown>) => unknown;
type Told = { id: string; before?: unknown; after?: unknown };

/** What a webhook's action says of its object, by its context. */
const told = new WeakMap<object, Told>();

/** Tells the audit stream what a webhook changed; without it, the webhook changed nothing and is not recorded. */
export function tellAudit(ctx: object, object: Told): void {
  told.set(ctx, object);
}

/**
 * Returns an action's handler that records its use if the gateway asks for it: for what staff and keys change, for
 * accepted webhooks, and for every use of the admin token. An entry that cannot be written stops the action.
 */
export function audited(contract: ServiceContract, name: string, handler: Handler): Handler {
  const definition = contract.actions[name]!;
  return (ctx) => {
    if (!ctx.meta.audit) return handler(ctx);
    // Calls that the action makes are its own work.
    ctx.meta.audit = undefined;
    if (definition.audit?.by !== undefined) return recordedWebhook(contract, definition, ctx, handler);
    return recorded(contract, definition, ctx, handler);
  };
}

async function recorded(
  contract: ServiceContract,
  definition: ActionDefinition,
  ctx: CallContext<unknown>,
  handler: Handler,
): Promise<unknown> {
  const entries = entriesOf(ctx);
  const { audit } = definition;
  const params = ctx.params as Record<string, unknown>;
  const { user, key, adminToken } = callerOf(ctx);
  const entry: AuditEntry = {
    ...begun(ctx),
    actor: actorOf({ user, key, admin: true }),
    ...(adminToken ? { adminToken } : {}),
    ...(audit ? { object: audit.object, objectId: audit.id === undefined ? undefined : text(params[audit.id]) } : {}),
  };
  const before = audit && (await readObject(contract, audit, ctx, params));
  await entries.insertOne(entry);
  if (!audit) return handler(ctx);
  const complete = async (outcome: string, fields: Partial<AuditEntry> = {}): Promise<void> => {
    try {
      await entries.updateOne({ _id: entry._id }, { $set: { outcome, ...fields } });
    } catch (error) {
      ctx.broker.logger.warn("The outcome of an audited action could not be recorded", error);
    }
  };
  let result: unknown;
  try {
    result = await handler(ctx);
  } catch (error) {
    await complete(errorCode(error) ?? "INTERNAL_ERROR");
    throw error;
  }
  const known = { ...(result as Record<string, unknown> | null), ...params };
  await complete("done", {
    ...(audit.id === undefined ? {} : { objectId: text(known[audit.id]) }),
    ...(await changesMade(contract, audit, ctx, known, before)),
  });
  return result;
}

/** A webhook is anybody's until its signature was checked: it is recorded afterwards, and sent again if that fails. */
async function recordedWebhook(
  contract: ServiceContract,
  { audit }: ActionDefinition,
  ctx: CallContext<unknown>,
  handler: Handler,
): Promise<unknown> {
  const result = await handler(ctx);
  const object = told.get(ctx);
  if (!object) return result;
  const rule = audit!.read === undefined ? undefined : contract.actions[audit!.read]!.result;
  await entriesOf(ctx).insertOne({
    ...begun(ctx),
    actor: audit!.by!,
    object: audit!.object,
    objectId: object.id,
    outcome: "done",
    ...(rule ? { changes: changesBetween(rule, object.before, object.after) } : {}),
  });
  return result;
}

function begun(ctx: CallContext<unknown>): Pick<AuditEntry, "_id" | "at" | "address" | "requestId" | "action"> {
  const { client } = ctx.meta;
  return {
    _id: `aud_${ulid()}`,
    at: new Date(),
    ...(client === undefined ? {} : { address: client }),
    requestId: ctx.requestID ?? ctx.id,
    action: ctx.action!.name!,
  };
}

type Audit = NonNullable<ActionDefinition["audit"]>;

/** Reads the object as staff sees it; undefined if there is none, or its id is not known yet. */
async function readObject(
  contract: ServiceContract,
  { id, read }: Audit,
  ctx: CallContext<unknown>,
  known: Record<string, unknown>,
): Promise<unknown> {
  if (read === undefined) return undefined;
  const takesId = id !== undefined && id in contract.actions[read]!.params;
  if (takesId && known[id] === undefined) return undefined;
  try {
    return await ctx.call(`${contract.name}.${read}`, takesId ? { [id]: known[id] } : {});
  } catch (error) {
    if (hasCode(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

async function changesMade(
  contract: ServiceContract,
  audit: Audit,
  ctx: CallContext<unknown>,
  known: Record<string, unknown>,
  before: unknown,
): Promise<{ changes?: FieldChange[] }> {
  if (audit.read === undefined) return {};
  try {
    const after = await readObject(contract, audit, ctx, known);
    return { changes: changesBetween(contract.actions[audit.read]!.result, before, after) };
  } catch (error) {
    ctx.broker.logger.warn("What an audited action changed could not be read", error);
    return {};
  }
}

function entriesOf(ctx: Context) {
  return serviceRuntimeOf(ctx.broker).documents.collection<AuditEntry>(AUDIT);
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value as string | number);
}
