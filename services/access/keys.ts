import { randomBytes } from "node:crypto";
import { shown } from "../../broker/contract/answers.ts";
import { actorOf, type Caller } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import { digestOfKey, KEY_PREFIX } from "../../broker/contract/keys.ts";
import { holds } from "../../broker/contract/scopes.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { pageOf } from "../shared/paging.ts";
import { KEYS, type KeyRecord } from "./collections.ts";
import { accessContract } from "./contract.ts";

type Actions = typeof accessContract.actions;
type Key = Result<Actions["key"]>;

/** Between two notes of a key's use. */
const USE_NOTED_MS = 60_000;

export function createKeys(documents: DocumentStore, onFailure: (error: unknown) => void) {
  const keys = documents.collection<KeyRecord>(KEYS);

  async function get(keyId: string): Promise<KeyRecord> {
    const record = await keys.findOne({ _id: keyId });
    if (!record) throw notFound("Key", keyId);
    return record;
  }

  function noteUse({ _id, lastUsedAt }: KeyRecord, now: Date): void {
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < USE_NOTED_MS) return;
    keys.updateOne({ _id }, { $set: { lastUsedAt: now } }).catch(onFailure);
  }

  return {
    async create(
      caller: Caller,
      { name, scopes, expiresAt }: Params<Actions["createKey"]>,
      id: string,
    ): Promise<Result<Actions["createKey"]>> {
      if (caller.key) throw new PartlineError("FORBIDDEN", "A key makes no keys: it would outlive its own revocation");
      const now = new Date();
      if (expiresAt && expiresAt <= now)
        throw validationFailed({ field: "expiresAt", message: "The 'expiresAt' field must be in the future." });
      const foreign = scopes.find((scope) => !holds(caller, scope));
      if (foreign) throw new PartlineError("FORBIDDEN", `To give the scope ${foreign} needs it`);
      const key = `${KEY_PREFIX}${randomBytes(32).toString("base64url")}`;
      const keyId = `key_${id}`;
      const record: KeyRecord = {
        _id: keyId,
        hash: digestOfKey(key),
        name,
        scopes: [...new Set(scopes)],
        createdBy: actorOf(caller),
        createdAt: now,
        expiresAt,
      };
      // A request that runs again: nobody has the key that its first run made.
      await keys.replaceOne({ _id: keyId }, record, { upsert: true });
      return { keyId, key };
    },

    async list(query: Params<Actions["keys"]>): Promise<Result<Actions["keys"]>> {
      const { found, pagination } = await pageOf(keys, {}, { createdAt: -1, _id: -1 }, query);
      return { keys: found.map(viewOf), pagination };
    },

    get: async (keyId: string): Promise<Key> => viewOf(await get(keyId)),

    async revoke(keyId: string): Promise<Key> {
      await keys.updateOne({ _id: keyId, revokedAt: null }, { $set: { revokedAt: new Date() } });
      return viewOf(await get(keyId));
    },

    async find(hash: string): Promise<Result<Actions["findKey"]>> {
      const record = await keys.findOne({ hash });
      if (!record || record.revokedAt) return { key: null };
      const { _id: keyId, scopes, expiresAt = null } = record;
      noteUse(record, new Date());
      return { key: { keyId, scopes, expiresAt } };
    },
  };
}

const viewOf = (key: KeyRecord): Key => shown(accessContract.actions.key.result.props, { ...key, keyId: key._id });
