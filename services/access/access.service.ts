import { randomBytes } from "node:crypto";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { AUDIT, type AuditEntry } from "../../broker/audit/entry.ts";
import { presentFields, type Infer, type Params, type Result } from "@partline/api-contracts";
import { toActor, getCaller, createId, type Actor, type CallContext } from "../../broker/contract/context.ts";
import { buildCreatedFilter } from "../../broker/contract/period.ts";
import { hashKey, KEY_PREFIX } from "../../broker/contract/keys.ts";
import { hasScope, type Scope } from "../../broker/contract/scopes.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { type CollectionDefinition, type Document, type DocumentStore, isWritten } from "@partline/durable";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { call, implement, outbox } from "../contracts.ts";
import { toFilter, readPage } from "../shared/paging.ts";
import { accessContract, keyRule } from "./contract.ts";
import { exportUser } from "./personal-export.ts";

/** A system's key. It is known by its hash alone: 256 random bits need no salt and no slow hash. */
export interface KeyRecord extends Document {
  hash: string;
  name: string;
  scopes: Scope[];
  /** Creator, as in events. */
  createdBy: string;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
  /** Time of the last use, to the minute. */
  lastUsedAt?: Date;
}

export const KEYS: CollectionDefinition = {
  name: "access_keys",
  fields: { hash: "string", createdAt: "date", expiresAt: "date", revokedAt: "date", lastUsedAt: "date" },
  indexes: [{ keys: { hash: 1 }, unique: true }, { keys: { createdAt: -1 } }],
};

/** Timeout of reading a key's webhook endpoints, milliseconds: its revocation must not wait for them. */
const ENDPOINTS_WITHIN_MS = 1_000;
/** Between two notes of a key's use. */
const USE_NOTED_MS = 60_000;

export default function accessService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings, channels } = getServiceRuntime(broker);
  const keys = documents.collection<KeyRecord>(KEYS);
  const audit = createAudit(documents);

  async function get(keyId: string): Promise<Infer<typeof keyRule>> {
    const record = await keys.findOne({ _id: keyId });
    if (!record) throw notFound("Key", keyId);
    return toKeyView(record);
  }

  /** Returns a key with its endpoints; it is read, and revoked, also while webhooks are away. */
  async function withEndpoints(ctx: CallContext<unknown>, keyId: string): Promise<Infer<typeof keyRule>> {
    const key = await get(keyId);
    const maker = `key:${keyId}`;
    const request = call(ctx, "webhook.findEndpoints", { maker }, { timeout: ENDPOINTS_WITHIN_MS });
    const endpoints = await request.catch((error: unknown) => {
      broker.logger.warn("The webhook endpoints of a key cannot be read", error);
      return undefined;
    });
    return { ...key, webhookEndpoints: endpoints?.endpointIds };
  }

  return implement(accessContract, {
    channels: {
      // Of an account that is deleted, what staff did stays, by its id; where they were goes.
      "user.deleted": { group: "access", handler: (event) => audit.forgetAddresses(event.payload.userId) },
    },
    actions: {
      async createKey(ctx) {
        const caller = getCaller(ctx);
        const { name, scopes, expiresAt } = ctx.params;
        if (caller.key)
          throw new PartlineError("FORBIDDEN", "A key cannot create keys: they would outlive its revocation");
        const now = new Date();
        if (expiresAt && expiresAt <= now) throw invalidField("expiresAt", "must be in the future");
        const foreign = scopes.find((scope) => !hasScope(caller, scope));
        if (foreign)
          throw new PartlineError("FORBIDDEN", `You can only grant scopes that you have, which ${foreign} is not`);
        const key = `${KEY_PREFIX}${randomBytes(32).toString("base64url")}`;
        const keyId = `key_${createId(ctx)}`;
        const origin = { createdBy: toActor(caller), createdAt: now, expiresAt };
        const record = { _id: keyId, hash: hashKey(key), name, scopes: [...new Set(scopes)], ...origin };
        // A request that runs again: nobody has the key that its first run made.
        await keys.replaceOne({ _id: keyId }, record, { upsert: true });
        return { keyId, key };
      },
      async keys({ params }) {
        const { found: records, pagination } = await readPage(keys, {}, { createdAt: -1, _id: -1 }, params);
        return { keys: records.map(toKeyView), pagination };
      },
      key: (ctx) => withEndpoints(ctx, ctx.params.keyId),
      async revokeKey(ctx) {
        const { keyId } = ctx.params;
        const revoked = { filter: { _id: keyId, revokedAt: null }, update: { $set: { revokedAt: new Date() } } };
        const isFirst = await isWritten(
          documents.atomically([
            { collection: KEYS, require: true, updateOne: revoked },
            outbox("key.revoked", { keyId }, `key.revoked:${keyId}`),
          ]),
          "CONDITION_FAILED",
        );
        if (isFirst) channels.wake();
        return withEndpoints(ctx, keyId);
      },
      audit: (ctx) => audit.list(ctx.params),
      exportUser,
      usePage: ({ params: { page } }) => ({ page }),
      async findKey({ params: { hash } }) {
        const record = await keys.findOne({ hash });
        if (!record || record.revokedAt) return { key: null };
        const { _id, scopes, expiresAt = null, lastUsedAt } = record;
        const now = new Date();
        if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= USE_NOTED_MS)
          keys
            .updateOne({ _id }, { $set: { lastUsedAt: now } })
            .catch((error: unknown) => broker.logger.warn("A key's use could not be noted", error));
        return { key: { keyId: _id, scopes, expiresAt } };
      },
    },
    started: async () => {
      if (settings.auditKeptMs === undefined) return;
      await audit
        .endUnending(settings.auditKeptMs)
        .catch((error: unknown) => broker.logger.warn("Old audit entries get their end at the next start", error));
    },
  });
}

const toKeyView = (key: KeyRecord): Infer<typeof keyRule> => presentFields(keyRule.props, { ...key, keyId: key._id });

const DAY_MS = 24 * 60 * 60_000;

type List = typeof accessContract.actions.audit;

/** The audit stream, which broker/audit/ writes. */
export function createAudit(documents: DocumentStore) {
  const entries = documents.collection<AuditEntry>(AUDIT);

  async function list({ page, pageSize, from, to, ...equal }: Params<List>): Promise<Result<List>> {
    const filter = toFilter({ ...equal, at: buildCreatedFilter({ from, to }) });
    const { found: auditEntries, pagination } = await readPage(
      entries,
      filter,
      { at: -1, _id: -1 },
      { page, pageSize },
    );
    return { entries: auditEntries.map(toEntryView), pagination };
  }

  return {
    list,
    /**
     * Gives entries without an end (of versions without AUDIT_KEPT, or while it was off) theirs, a day by one write.
     */
    async endUnending(keptMs: number): Promise<void> {
      for (;;) {
        const [oldest] = await entries.find({ purgeAt: null }, { sort: { at: 1 }, limit: 1 });
        if (!oldest) return;
        const until = new Date(oldest.at.getTime() + DAY_MS);
        const period = { $gte: oldest.at, $lt: until };
        const purgeAt = new Date(until.getTime() + keptMs);
        await entries.updateMany({ purgeAt: null, at: period }, { $set: { purgeAt } });
      }
    },
    async forgetAddresses(userId: string): Promise<void> {
      const actor: Actor = `user:${userId}`;
      await entries.updateMany({ actor, address: { $exists: true } }, { $unset: { address: true } });
    },
  };
}

function toEntryView(entry: AuditEntry): Result<List>["entries"][number] {
  const { props } = accessContract.actions.audit.result.props.entries.items;
  return presentFields(props, { ...entry, id: entry._id, adminToken: entry.adminToken === true });
}
