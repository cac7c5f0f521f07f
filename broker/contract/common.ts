import { integer, object, rules, type Rules, string } from "@partline/api-contracts";

export const paginationRule = object("Pagination", {
  page: integer(),
  pageSize: integer(),
  total: integer(),
  totalPages: integer(),
});

/** Paging of every list: page from 1, pageSize 20 unless given, at most 100. */
export const pagingParams = rules({
  page: integer({ min: 1, max: 1_000_000, default: 1 }),
  pageSize: integer({ min: 1, max: 100, default: 20 }),
});

/** The params' name for the number of items, `pageSize` or `limit`, and the other, which a query may use too. */
export function pageSizeNames(params: Rules): { name: string; alias: string } | undefined {
  const isPageSize = "pageSize" in params;
  if (isPageSize === "limit" in params) return undefined;
  return isPageSize ? { name: "pageSize", alias: "limit" } : { name: "limit", alias: "pageSize" };
}

export function paginate(total: number, page: number, pageSize: number) {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}

/** Text that can stand in the header of a mail and on a line of a label. */
export const oneLine = { pattern: /^\P{Cc}*$/u, words: "text on one line" } as const;

/**
 * Text that a reader sees as it was written: no line breaks, nothing that turns the direction of what follows, not only
 * what nobody sees. With `min: 0`, also none.
 */
export const writtenLine = {
  min: 1,
  pattern: /^$|^(?=.*[^\s\p{DI}\u2800])[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u,
  words: "text on one line, not spaces alone, without characters that turn its direction",
} as const;

/** As `writtenLine`, on several lines. */
export const writtenText = {
  min: 1,
  pattern: /^$|^(?=[\s\S]*[^\s\p{DI}\u2800])[^\u202a-\u202e\u2066-\u2069]*$/u,
  words: "text, not spaces alone, without characters that turn its direction",
} as const;

/** X-Session-Id, in a header or a body. */
export const sessionIdRule = string({
  pattern: /^[A-Za-z0-9_-]{8,128}$/,
  words: "a UUID, or 8 to 128 letters, digits, _ and -",
  description: "A UUID, or 8 to 128 letters, digits, `_` and `-`",
  example: "5b0cbb59-4a0e-4c39-9d0e-0f4f3f1d9a3c",
});
