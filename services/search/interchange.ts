import { hasDigit } from "@partline/parts-language/terms";
import type { CallOrigin } from "@partline/moleculer-kit";
import type { Result } from "@partline/api-contracts";
import { type PartKey, planNumbers, type SearchHit, type SearchPage } from "@partline/parts-search";
import { type Actions, call } from "../contracts.ts";

export type StandIn = Result<Actions["catalog.standIns"]>["parts"][number];

/** Longest wait for them before a search, milliseconds. */
const STAND_INS_DEADLINE = 500;

/**
 * Returns what asks for the parts that can be used in place of numbers. Without an answer, none: the search goes on.
 */
export const createStandInsSource =
  (origin: CallOrigin, onError: (what: string, error: unknown) => void) =>
  async (numbers: readonly PartKey[]): Promise<readonly StandIn[]> => {
    try {
      // Nobody else holds the params: to clone them takes a fifth as long as the call.
      const params = { numbers: numbers.map((partKey) => ({ ...partKey })) };
      return (await call(origin, "catalog.standIns", params, { timeout: STAND_INS_DEADLINE, paramsCloning: false }))
        .parts;
    } catch (error) {
      onError("The catalog could not be asked for interchangeable parts", error);
      return [];
    }
  };

export interface FoundHit extends SearchHit {
  /** Why another maker's number finds it. */
  interchangeOf?: StandIn["of"];
}

export interface FoundPage extends SearchPage {
  hits: FoundHit[];
}

/** A shorter one is any number. */
const SHORTEST = 4;
const MOST_NUMBERS = 50;

/** The numbers that a query may name, of any vendor or of the one in front. */
export function findNumbers(q: string): PartKey[] {
  // As most queries are.
  if (!hasDigit(q)) return [];
  const { whole: readWholeNumber, ofVendor: vendorNumbers, amidWords } = planNumbers(q);
  const readings = [
    ...(readWholeNumber === undefined ? [] : [{ norm: readWholeNumber, vendor: undefined }]),
    ...vendorNumbers,
    ...amidWords,
  ];
  return readings
    .filter(({ norm }) => norm.length >= SHORTEST && hasDigit(norm))
    .slice(0, MOST_NUMBERS)
    .map(({ norm, vendor }) => ({ pnNorm: norm, ...(vendor === undefined ? {} : { vendor }) }));
}

/** Says of hits that another number found them. A hit with the number itself is found by it. */
export function withReasons(
  page: SearchPage,
  standIns: readonly StandIn[],
  queryNumbers: readonly PartKey[],
): FoundPage {
  if (standIns.length === 0) return page;
  const reasons = new Map(standIns.map(({ vendor, pnNorm, of }) => [`${vendor} ${pnNorm}`, of]));
  const ownNumbers = new Set(queryNumbers.map(({ pnNorm }) => pnNorm));
  const hits = page.hits.map((hit) => {
    const { manufacturer, pnNorm } = hit.document;
    const interchangeOf = ownNumbers.has(pnNorm) ? undefined : reasons.get(`${manufacturer.code} ${pnNorm}`);
    return interchangeOf === undefined ? hit : { ...hit, interchangeOf };
  });
  return { ...page, hits };
}
