import type { CallOrigin } from "../../broker/contract/call.ts";
import type { Result } from "../../broker/contract/define.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import { hasCode, notFound } from "../../mixins/errors.ts";
import { toDecimal } from "../../mixins/money.ts";
import type { HitDocument, IndexDocument, SearchIndex } from "../../mixins/search-index/port.ts";
import { shownHit, shownPart } from "../../mixins/search-index/shown.ts";
import { cutTitle, lastThing } from "../../mixins/search-index/title-head.ts";
import { type Actions, call } from "../contracts.ts";
import type { indexedPartRule, wholePartRule } from "../shared/indexed-part.ts";
import { answerInTime } from "./answer-in-time.ts";
import { toHitsQuery } from "./query.ts";

type WholePart = Infer<typeof wholePartRule>;
type PartDetail = Result<Actions["search.aiPart"]>;
type Alternative = PartDetail["alternatives"][number];
type Supersession = Result<Actions["catalog.supersession"]>;
type OnError = (what: string, error: unknown) => void;

/** Less than the index itself may take: then its own values are returned. Milliseconds. */
const CATALOG_DEADLINE = 2_000;
/** An id is the end of each slug, so a slug with an older title finds its part too. */
const ID = /(?:^|-)([a-z]{3})-([a-z0-9]+)$/;

/**
 * A part as the catalog answers it; as the index has it if the catalog does not answer, with the names of what is
 * missing. @throws NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function wholePart(
  idOrSlug: string,
  index: Pick<SearchIndex, "get">,
  { inCatalog, onError }: { inCatalog: ReturnType<typeof inCatalogOf>; onError: OnError },
): Promise<WholePart> {
  const [, vendor, partNumber] = ID.exec(idOrSlug.toLowerCase()) ?? [];
  if (vendor === undefined || partNumber === undefined) throw notFound("Part", idOrSlug);
  try {
    return await inCatalog({ vendor, partNumber });
  } catch (error) {
    if (hasCode(error, "NOT_FOUND")) throw notFound("Part", idOrSlug);
    onError("The catalog could not be asked for a part", error);
  }
  const [document] = await answerInTime(index.get("parts", [`${vendor}-${partNumber}`]));
  if (!document) throw notFound("Part", idOrSlug);
  return {
    ...toIndexedPart(document),
    fitment: [],
    supersession: { supersedes: [], supersededBy: [], unknownSuccessor: null, cycle: false },
    interchange: [],
    kit: [],
    missing: ["fitment", "supersession", "interchange", "kit"],
  };
}

export const inCatalogOf =
  (origin: CallOrigin) =>
  (part: { vendor: string; partNumber: string }): Promise<WholePart> =>
    call(origin, "catalog.part", part, { timeout: CATALOG_DEADLINE });

function toIndexedPart(document: IndexDocument): Infer<typeof indexedPartRule> {
  const { vendorName, vendorAliases, kind, imageUrl, isTire, attributes, price, ...fields } = document;
  return price === null ? fields : { ...fields, price: { list: { value: toDecimal(price), currency: "usd" } } };
}

/**
 * A part with what it fits and what could stand in for it; names the sources that did not answer.
 * @throws NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function partDetail(
  origin: CallOrigin,
  id: string,
  {
    index,
    fitmentOf,
    onError,
  }: {
    index: Pick<SearchIndex, "get" | "search">;
    fitmentOf: (part: IndexDocument) => Promise<PartDetail["fitment"]>;
    onError: OnError;
  },
): Promise<PartDetail> {
  const [part] = await answerInTime(index.get("parts", [id.toLowerCase()]));
  if (!part) throw notFound("Part", id);
  const supersession = ({ manufacturer: { code: vendor }, partNumber }: IndexDocument): Promise<Supersession> =>
    call(origin, "catalog.supersession", { vendor, partNumber }, { timeout: CATALOG_DEADLINE });
  const [fitment, { alternatives, missing = [] }] = await Promise.all([
    fitmentOf(part).catch((error: unknown) => {
      onError("It could not be asked what a part fits", error);
      return undefined;
    }),
    answerInTime(alternativesTo(part, { index, supersession, onError })),
  ]);
  const lacking = [...missing, ...(fitment ? [] : ["fitment" as const])];
  return {
    part: { ...shownPart(part), description: part.description ?? null, skuVariants: part.skuVariants },
    fitment: fitment ?? [],
    alternatives,
    ...(lacking.length === 0 ? {} : { missing: lacking }),
  };
}

/** A kit for a filter is similar to the filter. */
const HOW_IT_COMES = new Set(["kit", "set", "pack", "service", "repair"]);
const MOST_OF_A_KIND = 8;
/** Hits that are looked through for similar parts: some name the thing and are another. */
const ENOUGH = 40;

/**
 * Finds what could stand in for a part at the same maker: its successors, the parts that it replaced, and active
 * parts of its category whose title names the same thing. Without an answer of the catalog, only the latter.
 */
export async function alternativesTo(
  part: IndexDocument,
  {
    index,
    supersession,
    onError,
  }: {
    index: Pick<SearchIndex, "search" | "get">;
    supersession(part: IndexDocument): Promise<Pick<Supersession, "supersededBy" | "supersedes">>;
    onError: OnError;
  },
): Promise<{ alternatives: Alternative[]; missing?: "supersession"[] }> {
  const asked = supersession(part).catch((error: unknown) => {
    onError("The catalog could not be asked what replaces a part", error);
    return undefined;
  });
  const [told, similar] = await Promise.all([asked, similarTo(part, index)]);
  const get = (parts: Supersession["supersedes"] = []) =>
    index.get(
      "parts",
      parts.map(({ id }) => id),
    );
  const [successors, predecessors] = await Promise.all([get(told?.supersededBy), get(told?.supersedes)]);
  const known = new Set([part.id]);
  const take = (reason: Alternative["reason"], documents: readonly HitDocument[]): Alternative[] => {
    const others = documents.filter(({ id }) => !known.has(id)).slice(0, MOST_OF_A_KIND);
    for (const { id } of others) known.add(id);
    return others.map((document) => ({ reason, part: shownHit({ document, highlights: {} }) }));
  };
  return {
    alternatives: [...take("successor", successors), ...take("predecessor", predecessors), ...take("similar", similar)],
    ...(told ? {} : { missing: ["supersession"] }),
  };
}

async function similarTo(
  { title, category, manufacturer }: IndexDocument,
  index: Pick<SearchIndex, "search">,
): Promise<HitDocument[]> {
  const noun = titleNoun(title);
  if (noun === undefined) return [];
  const { hits } = await index.search("parts", {
    ...toHitsQuery(noun, ENOUGH),
    categories: [category],
    manufacturers: [manufacturer.code],
  });
  return hits.map(({ document }) => document).filter((other) => titleNoun(other.title) === noun);
}

/**
 * The thing that a title names, or that the named thing is for: `Carburetor Repair Kit` is a carburetor, `Gasket for
 * Carburetor` a gasket; undefined if it names none.
 */
export function titleNoun(title: string): string | undefined {
  return lastThing(cutTitle(title).head, HOW_IT_COMES);
}
