import { getAt } from "@partline/toolkit";
import type { CallOrigin } from "@partline/moleculer-kit";
import { call } from "../../contracts.ts";
import { HARMLESS_REASONS } from "../../shared/dis-errors.ts";
import type { createDeliveryDays } from "./delivery-days.ts";
import {
  isSamePart,
  UNKNOWN_OFFER,
  type AskedPart,
  type CatalogHit,
  type CatalogQuestion,
  type DeskSources,
  type Offer,
} from "@partline/parts-desk";

/** An answer does without the catalog's search if that takes longer; milliseconds. */
const SEARCHING = { timeout: 2_000 };
/** The search service has three seconds for it; milliseconds. */
const OFFER_DEADLINE = 3_200;
const CATALOG_DEADLINE = 1_000;
/** Numbers in one question to the search service. */
const ASKED_AT_ONCE = 10;
/** Characters that it takes of a number, and of a search. */
const LONGEST_NUMBER = 100;
const LONGEST_SEARCH = 200;
const LONGEST_TEXT = 16_000;
const MOST_MACHINES = 20;

/** Creates the source that asks other services about the shop. @param origin keeps a call's request id */
export function createShopSources(
  origin: CallOrigin,
  onFailure: (what: string, error: unknown) => void,
  estimateDays: ReturnType<typeof createDeliveryDays>,
): Pick<DeskSources, "offers" | CatalogQuestion> {
  const findInCatalog = async (id: string) => {
    try {
      return await call(origin, "catalog.get", { id }, { timeout: CATALOG_DEADLINE });
    } catch (error) {
      onFailure("The catalog could not be asked for a part", error);
      return undefined;
    }
  };
  const ask = async (partNumbers: string[]) => {
    try {
      return (await call(origin, "search.aiAvailability", { partNumbers }, { timeout: OFFER_DEADLINE })).results;
    } catch (error) {
      onFailure("Price and stock could not be asked for", error);
      return partNumbers.map(() => undefined);
    }
  };
  const search = async <T>(action: string, run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      onFailure(`The catalog could not be searched (${action})`, error);
      throw error;
    }
  };
  return {
    catalog: (query, limit) =>
      search("search.lookUp", async () => {
        const params = { q: query.slice(0, LONGEST_SEARCH), limit };
        return (await call(origin, "search.lookUp", params, SEARCHING)).hits.map(toCatalogHit);
      }),
    findCatalogMachines: (text) =>
      search("search.machines", async () => {
        return (await call(origin, "search.machines", { text: text.slice(0, LONGEST_TEXT) }, SEARCHING)).machines;
      }),
    findPartsFor: (machines) =>
      search("search.fitting", async () => {
        const params = { machines: machines.slice(0, MOST_MACHINES) };
        return (await call(origin, "search.fitting", params, SEARCHING)).parts.map(toCatalogHit);
      }),
    findNearParts: (number) =>
      search("search.findNear", async () => {
        const params = { number: number.slice(0, LONGEST_NUMBER) };
        return (await call(origin, "search.findNear", params, SEARCHING)).parts.map(toCatalogHit);
      }),
    async offers(parts) {
      const spellings = parts.map(listSpellings);
      const numbers = [...new Set(spellings.flat())];
      const pages = Array.from({ length: Math.ceil(numbers.length / ASKED_AT_ONCE) }, (_, index) =>
        numbers.slice(index * ASKED_AT_ONCE, (index + 1) * ASKED_AT_ONCE),
      );
      const answers = (await Promise.all(pages.map(ask))).flat();
      const answersByNumber = new Map(numbers.map((number, index) => [number, answers[index]]));
      return Promise.all(
        parts.map(async (part, index): Promise<Offer> => {
          const partAnswers = getAt(spellings, index).map((number) => answersByNumber.get(number));
          const match = partAnswers.find((answer) => answer?.found === true);
          // Nobody answered: that is no news of the part.
          if (!match || match.id === null)
            return {
              ...UNKNOWN_OFFER,
              supplierFailed: partAnswers.length > 0 && partAnswers.every((answer) => answer === undefined),
            };
          const { id, price, availability, stock, live, reason } = match;
          const listed = await findInCatalog(id);
          if (!part.catalog && listed && !isOffered(part, listed)) return UNKNOWN_OFFER;
          return {
            id,
            price,
            availability,
            stock,
            ...(listed ? { deliveryDays: await estimateDays(listed, price) } : {}),
            live,
            supplierFailed: reason !== null && !HARMLESS_REASONS.includes(reason),
            slug: listed?.slug ?? null,
            status: listed?.status ?? null,
            supersededBy: listed?.supersededBy,
            ...(listed?.weightGrams !== undefined && { weight: listed.weightGrams }),
          };
        }),
      );
    },
  };
}

function toCatalogHit(part: CatalogHit): CatalogHit {
  const { id, slug, partNumber, title, manufacturer, status, supersededBy, price, fits } = part;
  return { id, slug, partNumber, title, manufacturer, status, supersededBy, price, fits };
}

/** Lists a number with the vendor that the manual hints at, and without: the catalog's maker may be another. */
function listSpellings({ partNumber, vendor, catalog }: AskedPart): string[] {
  const spellings = catalog
    ? [`${catalog.manufacturer.code} ${catalog.partNumber}`]
    : [...(vendor === undefined ? [] : [`${vendor} ${partNumber}`]), partNumber];
  return spellings.filter((number) => number.length <= LONGEST_NUMBER);
}

function isOffered(
  part: AskedPart,
  { partNumber, manufacturer }: { partNumber?: string; manufacturer?: { name: string; code: string } },
): boolean {
  if (partNumber === undefined || manufacturer === undefined) return true;
  return part.vendor === manufacturer.code || isSamePart({ ...part, vendor: undefined }, { partNumber, manufacturer });
}
