import { AUDIT, type AuditEntry } from "../../broker/audit/entry.ts";
import { paginate } from "../../broker/contract/common.ts";
import type { Actor } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import type { DocumentStore, Filter } from "../../mixins/document-store/port.ts";
import type { accessContract } from "./contract.ts";

type List = typeof accessContract.actions.audit;

/** The audit stream, which broker/audit/ writes. */
export function createAudit(documents: DocumentStore) {
  const entries = documents.collection<AuditEntry>(AUDIT);

  async function list({ page, pageSize, from, to, ...equal }: Params<List>): Promise<Result<List>> {
    const at = createdWithin({ from, to });
    const filter: Filter = {
      ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
      ...(at ? { at } : {}),
    };
    const options = { sort: { at: -1, _id: -1 }, skip: (page - 1) * pageSize, limit: pageSize } as const;
    const [found, total] = await Promise.all([entries.find(filter, options), entries.count(filter)]);
    return { entries: found.map(viewOf), pagination: paginate(total, page, pageSize) };
  }

  return {
    list,
    async forgetAddresses(userId: string): Promise<void> {
      const actor: Actor = `user:${userId}`;
      await entries.updateMany({ actor, address: { $exists: true } }, { $unset: { address: true } });
    },
  };
}

function viewOf({
  _id,
  at,
  actor,
  adminToken,
  requestId,
  action,
  ...entry
}: AuditEntry): Result<List>["entries"][number] {
  return {
    id: _id,
    at,
    actor,
    adminToken: adminToken === true,
    address: entry.address ?? null,
    requestId,
    action,
    object: entry.object ?? null,
    objectId: entry.objectId ?? null,
    outcome: entry.outcome ?? null,
    changes: entry.changes ?? null,
  };
}
