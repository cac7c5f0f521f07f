import type { PartResponse, QueryResponse } from "@partline/client";

/** What one look-up of the stock takes. */
const MOST_PARTS = 100;
/** The address of a part's page ends with the part's id: maker, hyphen, number. */
const PART_ID = /[a-z]{3}-[a-z\d]+$/;

/** Returns the id of a part that the shop sells. */
export const findPartId = ({ store_link = "" }: Pick<PartResponse, "store_link">): string | undefined =>
  PART_ID.exec(store_link)?.[0];

/** Lists the parts of answers, the last hundred, as far as the shop sells them. */
export const listPartIds = (answers: readonly (QueryResponse | undefined)[]): string[] => {
  const ids = answers.flatMap((answer) => answer?.parts ?? []).map(findPartId);
  return [...new Set(ids.filter((id) => id !== undefined))].slice(-MOST_PARTS);
};
