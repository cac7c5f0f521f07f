import type { CallOrigin } from "../../broker/contract/call.ts";
import type { SearchIndex } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { answerInTime } from "./answer-in-time.ts";
import { AVAILABILITY_DEADLINE, type AvailabilitySources } from "./part-availability.ts";
import type { PartDetailSources } from "./part-detail.ts";
import { findByNumber } from "./part-lookup.ts";

/** What this service asks of others, each within a time; milliseconds. */

/**
 * What is in the index is told without the catalog's word where that takes longer than this: less than the index itself
 * may take.
 */
const CATALOG_DEADLINE = 2_000;
/** Of the time for asking the supplier, what the way to the router and back may take. */
const FOR_THE_ROUTER = 150;

type OnError = AvailabilitySources["onError"];

export const partDetailSources = (
  origin: CallOrigin,
  fitment: PartDetailSources["fitment"],
  onError: OnError,
): PartDetailSources => ({
  supersession: async ({ manufacturer: { code }, partNumber }) => {
    const params = { vendor: code, partNumber };
    const { supersededBy, supersedes } = await call(origin, "catalog.supersession", params, {
      timeout: CATALOG_DEADLINE,
    });
    return { supersededBy: supersededBy.map(({ id }) => id), supersedes: supersedes.map(({ id }) => id) };
  },
  fitment,
  onError,
});

export const availabilitySources = (
  origin: CallOrigin,
  index: Pick<SearchIndex, "search">,
  onError: OnError,
): AvailabilitySources => ({
  find: (partNumber) => answerInTime(findByNumber(index, partNumber), AVAILABILITY_DEADLINE),
  // Tried again, what did not answer in time would take that time twice.
  inCatalog: (id, timeout) => call(origin, "catalog.get", { id }, { timeout }),
  // What the supplier does not say in time, the router tells with the reason, which takes a moment as well.
  inquire: async (parts, timeout) => {
    const deadlineMs = Math.max(1, timeout - FOR_THE_ROUTER);
    return (await call(origin, "dis-router.inquire", { parts, deadlineMs }, { timeout })).parts;
  },
  onError,
});
