import type { AccessAuditParams, AccessCreateKeyParams, Key } from "@partline/client";
import type { GetListParams, GetListResult, RaRecord } from "react-admin";
import { partline } from "../partline.ts";

export async function listKeys({ pagination }: GetListParams): Promise<GetListResult<Key & RaRecord>> {
  const { page, perPage: pageSize } = pagination!;
  const found = await partline.access.keys({ page, pageSize });
  return { data: found.keys.map((key) => ({ ...key, id: key.keyId })), total: found.pagination.total };
}

export async function createKey(data: Partial<RaRecord>): Promise<RaRecord> {
  const { name, scopes, expiresAt } = data as AccessCreateKeyParams;
  const made = await partline.access.createKey({ name, scopes, ...(expiresAt ? { expiresAt } : {}) });
  return { ...made, id: made.keyId };
}

export async function listAudit({ pagination, filter }: GetListParams): Promise<GetListResult> {
  const { page, perPage: pageSize } = pagination!;
  const found = await partline.access.audit({ ...(filter as AccessAuditParams), page, pageSize });
  return { data: found.entries, total: found.pagination.total };
}
