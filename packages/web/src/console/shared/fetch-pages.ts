import type { GetListParams, GetListResult } from "react-admin";

interface Found {
  pagination: { total: number };
}

/** A list that the API pages by number. @param keyOf names what react-admin calls `id` */
export async function fetchPages<F extends Found, T extends object>(
  { pagination }: GetListParams,
  load: (pages: { page: number; pageSize: number }) => Promise<F>,
  getItems: (answer: F) => readonly T[],
  keyOf: (row: T) => string,
): Promise<GetListResult> {
  const answer = await load({ page: pagination?.page ?? 1, pageSize: pagination?.perPage ?? 25 });
  return { data: getItems(answer).map((row) => ({ ...row, id: keyOf(row) })), total: answer.pagination.total };
}
