import type { AccessCreateKeyParams } from "@partline/client";
import type { GetListParams, RaRecord } from "react-admin";
import { fetchPages } from "../shared/fetch-pages.ts";
import { partline } from "../partline.ts";

export const listKeys = (params: GetListParams) =>
  fetchPages(
    params,
    (pages) => partline.access.keys(pages),
    ({ keys }) => keys,
    ({ keyId }) => keyId,
  );

export async function createKey(data: Partial<RaRecord>): Promise<RaRecord> {
  const { name, scopes, expiresAt } = data as AccessCreateKeyParams;
  const newKey = await partline.access.createKey({ name, scopes, ...(expiresAt ? { expiresAt } : {}) });
  return { ...newKey, id: newKey.keyId };
}

export const listAudit = (params: GetListParams) =>
  fetchPages(
    params,
    (pages) => partline.access.audit({ ...(params.filter as Record<string, unknown>), ...pages }),
    ({ entries }) => entries,
    ({ id }) => id,
  );
