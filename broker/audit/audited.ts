import { type AtomicWrite, isWritten } from "@partline/durable";
import { errorCode, ifFound } from "../../mixins/errors.ts";
import { createId, toActor, getCaller, type CallContext } from "../contract/context.ts";
import type { ActionDefinition, ServiceContract } from "../contract/define.ts";
import { object } from "@partline/api-contracts";
import { getServiceRuntime } from "../runtime.ts";
import { AUDIT, findPurgeTime, type AuditEntry, type FieldChange } from "./entry.ts";
import { diffValues } from "./changes.ts";

type Handler = (ctx: CallContext<unknown>) => unknown;

/** Webhooks that are recorded, with the contracts of their actions. */
const auditedCalls = new WeakMap<object, { contract: ServiceContract; definition: ActionDefinition }>();

/** The writes of a webhook's entry, for the batch of its change; none if the gateway does not ask for them. */
export function auditWrites(
  ctx: CallContext<unknown>,
  { id, before: objectBefore, after }: { id: string; before?: unknown; after?: unknown },
): AtomicWrite[] {
  const auditedCall = auditedCalls.get(ctx);
  if (!auditedCall) return [];
  const { contract, definition } = auditedCall;
  const { by: actor, object, read: readAction } = definition.audit!;
  const rule = readAction === undefined ? undefined : contract.actions[readAction]!.result;
  const entry = {
    ...createEntry(ctx),
    actor: actor!,
    object,
    objectId: id,
    outcome: "done",
    changes: rule && diffValues(rule, objectBefore, after),
  };
  return [{ collection: AUDIT, insertOne: entry }];
}

const progressByCall = new WeakMap<object, Record<string, unknown>>();

/** Says what an action has done so far, for its entry to report it if the action fails. */
export function auditSoFar(ctx: CallContext<unknown>, report: Record<string, unknown>): void {
  progressByCall.set(ctx, report);
}

/**
 * Records an action's use if the gateway asks for it: what staff and keys change, and every use of the admin token. An
 * entry that cannot be written stops the action. A webhook is anybody's until its signature was checked: its action
 * writes the entry.
 */
export function withAudit(contract: ServiceContract, name: string, handler: Handler): Handler {
  const definition = contract.actions[name]!;
  return (ctx) => {
    if (!ctx.meta.audit) return handler(ctx);
    // Calls that the action makes are its own work.
    ctx.meta.audit = undefined;
    if (definition.audit?.by === undefined) return runRecorded(contract, definition, ctx, handler);
    auditedCalls.set(ctx, { contract, definition });
    return handler(ctx);
  };
}

async function runRecorded(
  contract: ServiceContract,
  definition: ActionDefinition,
  ctx: CallContext<unknown>,
  handler: Handler,
): Promise<unknown> {
  const entries = getServiceRuntime(ctx.broker).documents.collection<AuditEntry>(AUDIT);
  const { audit } = definition;
  const params = ctx.params as Record<string, unknown>;
  const { user, key, adminToken } = getCaller(ctx);
  const entry: AuditEntry = {
    ...createEntry(ctx),
    actor: toActor({ user, key, admin: true }),
    adminToken: adminToken || undefined,
    object: audit?.object,
    objectId: audit?.id === undefined ? undefined : toText(params[audit.id]),
  };
  const objectBefore = audit && (await readObject(contract, audit, ctx, params));
  // A request with an Idempotency-Key that is repeated after a fault is one use.
  await isWritten(entries.insertOne(entry), "DUPLICATE_KEY");
  if (!audit) return handler(ctx);
  const complete = async (outcome: string, fields: Partial<AuditEntry> = {}): Promise<void> => {
    try {
      await entries.updateOne({ _id: entry._id }, { $set: { outcome, ...fields } });
    } catch (error) {
      ctx.broker.logger.warn("The outcome of an audited action could not be recorded", error);
    }
  };
  const findChanges = async (values: Record<string, unknown>): Promise<{ changes?: FieldChange[] }> => {
    if (audit.read === undefined) return {};
    try {
      const after = await readObject(contract, audit, ctx, values);
      return { changes: diffValues(contract.actions[audit.read]!.result, objectBefore, after) };
    } catch (error) {
      ctx.broker.logger.warn("What an audited action changed could not be read", error);
      return {};
    }
  };
  let result: unknown;
  try {
    result = await handler(ctx);
  } catch (error) {
    const soFar = audit.report && progressByCall.get(ctx);
    await complete(
      errorCode(error) ?? "INTERNAL_ERROR",
      soFar && { changes: listReportedChanges(definition, audit.report!, { ...soFar, ...params }) },
    );
    throw error;
  }
  const values = { ...(result as Record<string, unknown> | null), ...params };
  const isWaiting = audit.waits !== undefined && values[audit.waits] !== undefined;
  await complete(isWaiting ? "waiting" : "done", {
    ...(audit.id === undefined ? {} : { objectId: toText(values[audit.id]) }),
    ...(audit.report
      ? { changes: listReportedChanges(definition, audit.report, values, objectBefore) }
      : await findChanges(values)),
  });
  return result;
}

function createEntry(
  ctx: CallContext<unknown>,
): Pick<AuditEntry, "_id" | "at" | "purgeAt" | "address" | "requestId" | "action"> {
  const { client } = ctx.meta;
  const { auditKeptMs } = getServiceRuntime(ctx.broker).settings;
  const startedAt = new Date();
  return {
    _id: `aud_${createId(ctx)}`,
    at: startedAt,
    purgeAt: findPurgeTime(startedAt, auditKeptMs),
    address: client,
    requestId: ctx.requestID ?? ctx.id,
    action: ctx.action!.name!,
  };
}

/** Reads the object as staff sees it; undefined if there is none, or its id is not known yet. */
async function readObject(
  contract: ServiceContract,
  { id, read: readAction }: NonNullable<ActionDefinition["audit"]>,
  ctx: CallContext<unknown>,
  values: Record<string, unknown>,
): Promise<unknown> {
  if (readAction === undefined) return undefined;
  const takesId = id !== undefined && id in contract.actions[readAction]!.params;
  if (takesId && values[id] === undefined) return undefined;
  return ifFound(ctx.call(`${contract.name}.${readAction}`, takesId ? { [id]: values[id] } : {}));
}

/** Lists the params and results that report an action's work, beside what an object that it reads had before. */
function listReportedChanges(
  { params, result }: ActionDefinition,
  names: readonly string[],
  values: Record<string, unknown>,
  objectBefore?: unknown,
): FieldChange[] {
  const rules = { ...(result.type === "object" ? result.props : {}), ...params };
  const props = Object.fromEntries(names.map((name) => [name, rules[name]!]));
  return diffValues(object(props), objectBefore, Object.fromEntries(names.map((name) => [name, values[name]])));
}

function toText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value as string | number);
}
