import { AUDIT, type AuditEntry } from "../../broker/audit/entry.ts";
import { shown } from "../../broker/contract/answers.ts";
import type { Actor } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { asked, pageOf } from "../shared/paging.ts";
import { accessContract } from "./contract.ts";

const DAY_MS = 24 * 60 * 60_000;

type List = typeof accessContract.actions.audit;

/** The audit stream, which broker/audit/ writes. */
export function createAudit(documents: DocumentStore) {
  const entries = documents.collection<AuditEntry>(AUDIT);

  async function list({ page, pageSize, from, to, ...equal }: Params<List>): Promise<Result<List>> {
    const filter = asked({ ...equal, at: createdWithin({ from, to }) });
    const { found, pagination } = await pageOf(entries, filter, { at: -1, _id: -1 }, { page, pageSize });
    return { entries: found.map(viewOf), pagination };
  }

  return {
    list,
    /** Entries of versions without AUDIT_KEPT, or from while it was off, get their end: a day's by one write. */
    async endUnending(keptMs: number): Promise<void> {
      for (;;) {
        const [oldest] = await entries.find({ purgeAt: null }, { sort: { at: 1 }, limit: 1 });
        if (!oldest) return;
        const until = new Date(oldest.at.getTime() + DAY_MS);
        const at = { $gte: oldest.at, $lt: until };
        const purgeAt = new Date(until.getTime() + keptMs);
        await entries.updateMany({ purgeAt: null, at }, { $set: { purgeAt } });
      }
    },
    async forgetAddresses(userId: string): Promise<void> {
      const actor: Actor = `user:${userId}`;
      await entries.updateMany({ actor, address: { $exists: true } }, { $unset: { address: true } });
    },
  };
}

function viewOf(entry: AuditEntry): Result<List>["entries"][number] {
  const { props } = accessContract.actions.audit.result.props.entries.items;
  return shown(props, { ...entry, id: entry._id, adminToken: entry.adminToken === true });
}
