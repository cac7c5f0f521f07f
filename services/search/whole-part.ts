import type { CallOrigin } from "@partline/moleculer-kit";
import type { Infer } from "@partline/api-contracts";
import { hasCode, notFound } from "../../mixins/errors.ts";
import { toDecimal } from "@partline/parts-language";
import type { IndexDocument, SearchIndex } from "@partline/parts-search";
import { call } from "../contracts.ts";
import type { indexedPartRule, wholePartRule } from "../shared/indexed-part.ts";
import { toCatalogFitment } from "../shared/part-fitment.ts";
import { answerInTime } from "./answer-in-time.ts";
import { CATALOG_DEADLINE } from "./limits.ts";

type WholePart = Infer<typeof wholePartRule>;

/** An id is the end of each slug, so a slug with an older title finds its part too. */
const ID = /(?:^|-)([a-z]{3})-([a-z0-9]+)$/;

/**
 * A part as the catalog answers it; as the index has it if the catalog does not answer, with the names of what is
 * missing. @throws NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function loadWholePart(
  origin: CallOrigin,
  idOrSlug: string,
  { index, onError }: { index: Pick<SearchIndex, "get">; onError(what: string, error: unknown): void },
): Promise<WholePart> {
  const [, vendor, partNumber] = ID.exec(idOrSlug.toLowerCase()) ?? [];
  if (vendor === undefined || partNumber === undefined) throw notFound("Part", idOrSlug);
  try {
    return await call(origin, "catalog.part", { vendor, partNumber }, { timeout: CATALOG_DEADLINE });
  } catch (error) {
    if (hasCode(error, "NOT_FOUND")) throw notFound("Part", idOrSlug);
    onError("The catalog could not be asked for a part", error);
  }
  const [document] = await answerInTime(index.get("parts", [`${vendor}-${partNumber}`]));
  if (!document) throw notFound("Part", idOrSlug);
  return {
    ...toIndexedPart(document),
    fitment: toCatalogFitment(document),
    supersession: { supersedes: [], supersededBy: [], unknownSuccessor: null, cycle: false },
    interchange: [],
    kit: [],
    missing: ["fitment", "supersession", "interchange", "kit"],
  };
}

function toIndexedPart(document: IndexDocument): Infer<typeof indexedPartRule> {
  const { vendorName, vendorAliases, kind, imageUrl, isTire, attributes, price, ...fields } = document;
  return price === null ? fields : { ...fields, price: { list: { value: toDecimal(price), currency: "usd" } } };
}
