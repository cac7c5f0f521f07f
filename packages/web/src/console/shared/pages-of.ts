import type { GetListParams, GetListResult } from "react-admin";

interface Found {
  pagination: { total: number };
}

/** A list that the API pages by number. @param keyOf names what react-admin calls `id` */
export async function pagesOf<F extends Found, T extends object>(
  { pagination }: GetListParams,
  read: (pages: { page: number; pageSize: number }) => Promise<F>,
  of: (found: F) => readonly T[],
  keyOf: (row: T) => string,
): Promise<GetListResult> {
  const found = await read({ page: pagination?.page ?? 1, pageSize: pagination?.perPage ?? 25 });
  return { data: of(found).map((row) => ({ ...row, id: keyOf(row) })), total: found.pagination.total };
}
