import { getAt } from "@partline/toolkit";
import type { ServiceBroker } from "moleculer";
import { type Availability, normalizePartNumber, toDecimal } from "@partline/parts-language";
import { call } from "../../contracts.ts";

/** Data of a part in the catalog now. */
export interface CatalogFacts {
  partId: string | null;
  title: string | null;
  /** Null also for a part that is not sold any more. */
  price: number | null;
  /** Null for a part that the catalog has not. */
  availability: Availability | null;
}

/** A part as a manual names it. */
export interface NamedPart {
  partNumber: string;
  /** Code of the vendor, if the manual hints at one. */
  vendor?: string;
}

export type AskCatalog = (parts: readonly NamedPart[]) => Promise<(part: NamedPart) => CatalogFacts>;

/** Milliseconds; later, parts are answered without the catalog's facts. */
const DEADLINE = 2_000;
/** Characters of a part number, and numbers in one question. */
const LONGEST_NUMBER = 100;
const MOST_ASKED = 1_000;

export const NOT_KNOWN: CatalogFacts = { partId: null, title: null, price: null, availability: null };

/** Creates the question for the parts of an answer, in one call. */
export function createAskCatalog(broker: ServiceBroker): AskCatalog {
  const logger = broker.getLogger("ai");
  return async (parts) => {
    const distinct = [...new Map(parts.map((part) => [toKey(part), part])).values()].slice(0, MOST_ASKED);
    if (distinct.length === 0) return () => NOT_KNOWN;
    try {
      const items = distinct.map(({ partNumber, vendor }) => ({
        productId: "",
        partNumber: partNumber.slice(0, LONGEST_NUMBER),
        manufacturer: vendor,
      }));
      const { items: answers } = await call(broker, "catalog.price", { items }, { timeout: DEADLINE });
      const factsByKey = new Map(
        answers.map(({ productId, title, status, price, availability }, index): [string, CatalogFacts] => [
          toKey(getAt(distinct, index)),
          {
            partId: productId ?? null,
            title: title ?? null,
            price: price === null || status === "discontinued" ? null : toDecimal(price),
            availability: availability ?? null,
          },
        ]),
      );
      return (part) => factsByKey.get(toKey(part)) ?? NOT_KNOWN;
    } catch (error) {
      logger.debug("The catalog could not be asked which of its parts a manual names", error);
      return () => NOT_KNOWN;
    }
  };
}

function toKey({ partNumber, vendor = "" }: NamedPart): string {
  return `${normalizePartNumber(partNumber)} ${vendor}`;
}
