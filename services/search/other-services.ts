import type { CallOrigin } from "../../broker/contract/call.ts";
import type { SearchIndex } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { answerInTime } from "./answer-in-time.ts";
import type { StandInsOf } from "./interchange.ts";
import { AVAILABILITY_DEADLINE, type AvailabilitySources } from "./part-availability.ts";
import type { PartDetailSources } from "./part-detail.ts";
import { findByNumber } from "./part-lookup.ts";
import type { WholePartSources } from "./whole-part.ts";

/** Calls to other services, each with a limit in milliseconds. */

/** Less than the index itself may take: then its own values are returned. */
const CATALOG_DEADLINE = 2_000;
/** It is waited for before the search. */
const STAND_INS_DEADLINE = 500;
/** Time that the router's answer may travel, out of that for asking the supplier. */
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

/** Without an answer, none: the search itself goes on. */
export const standInsSource =
  (origin: CallOrigin, onError: OnError): StandInsOf =>
  async (numbers) => {
    try {
      // Nobody else holds the params: to clone them takes a fifth as long as the call.
      const params = { numbers: numbers.map((each) => ({ ...each })) };
      return (await call(origin, "catalog.standIns", params, { timeout: STAND_INS_DEADLINE, paramsCloning: false }))
        .parts;
    } catch (error) {
      onError("The catalog could not be asked what interchanges with a number", error);
      return [];
    }
  };

export const wholePartSources = (origin: CallOrigin, onError: OnError): WholePartSources => ({
  inCatalog: (part) => call(origin, "catalog.part", part, { timeout: CATALOG_DEADLINE }),
  onError,
});

export const availabilitySources = (
  origin: CallOrigin,
  index: Pick<SearchIndex, "search">,
  onError: OnError,
): AvailabilitySources => ({
  find: (partNumber) => answerInTime(findByNumber(index, partNumber), AVAILABILITY_DEADLINE),
  // No retries: the second try would double the time.
  inCatalog: (id, timeout) => call(origin, "catalog.get", { id }, { timeout }),
  // The router reports parts without an answer a moment after its deadline.
  inquire: async (parts, timeout) => {
    const deadlineMs = Math.max(1, timeout - FOR_THE_ROUTER);
    return (await call(origin, "dis-router.inquire", { parts, deadlineMs }, { timeout })).parts;
  },
  onError,
});
