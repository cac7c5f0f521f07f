import type { CallOrigin } from "../../broker/contract/call.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { SearchIndex } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { answerInTime } from "./answer-in-time.ts";
import { AVAILABILITY_DEADLINE, type AvailabilitySources } from "./part-availability.ts";
import type { PartDetailSources } from "./part-detail.ts";
import { findByNumber } from "./part-lookup.ts";
import type { PartsOf } from "./query.ts";

/** What this service asks of others, each within a time; milliseconds. */

/**
 * What is in the index is told without the catalog's word where that takes longer than this: less than the index itself
 * may take.
 */
const CATALOG_DEADLINE = 2_000;
/** Longest wait for what manuals say. */
const MANUALS_DEADLINE = 2_000;
/** Of the time for asking the supplier, what the way to the router and back may take. */
const FOR_THE_ROUTER = 150;

type OnError = AvailabilitySources["onError"];

/** The parts of an equipment, by its manuals. @throws SERVICE_UNAVAILABLE: unfiltered hits would be wrong ones */
export const partsOfManuals =
  (origin: CallOrigin): PartsOf =>
  async (model) => {
    try {
      return (await call(origin, "ai.partsOf", { model }, { timeout: MANUALS_DEADLINE })).partKeys;
    } catch (error) {
      throw new PartlineError("SERVICE_UNAVAILABLE", "It is not known now which parts an equipment has", undefined, {
        cause: error,
      });
    }
  };

export const partDetailSources = (origin: CallOrigin, onError: OnError): PartDetailSources => ({
  supersession: async ({ manufacturer: { code }, partNumber }) => {
    const params = { vendor: code, partNumber };
    const { supersededBy, supersedes } = await call(origin, "catalog.supersession", params, {
      timeout: CATALOG_DEADLINE,
    });
    return { supersededBy: supersededBy.map(({ id }) => id), supersedes: supersedes.map(({ id }) => id) };
  },
  fitment: async ({ pnNorm, manufacturer: { code } }) =>
    (await call(origin, "ai.fitmentOf", { pnNorm, vendor: code }, { timeout: MANUALS_DEADLINE })).fitment,
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
