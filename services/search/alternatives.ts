import type { Infer } from "../../broker/contract/rules.ts";
import type { HitDocument, IndexDocument, SearchIndex } from "../../mixins/search-index/port.ts";
import { shownHit } from "../../mixins/search-index/shown.ts";
import { cutTitle, lastThing } from "../../mixins/search-index/title-head.ts";
import { toHitsQuery } from "./query.ts";
import type { alternativeRule } from "./resources.ts";

export type Alternative = Infer<typeof alternativeRule>;
type Reason = Alternative["reason"];

export interface AlternativeSources {
  index: Pick<SearchIndex, "search" | "get">;
  /** Ids of the parts that replace this one, one after another, and of those that it replaced. */
  supersession(part: IndexDocument): Promise<{ supersededBy: string[]; supersedes: string[] }>;
  onError(what: string, error: unknown): void;
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
  { index, supersession, onError }: AlternativeSources,
): Promise<{ alternatives: Alternative[]; missing?: "supersession"[] }> {
  const asked = supersession(part).catch((error: unknown) => {
    onError("The catalog could not be asked what replaces a part", error);
    return undefined;
  });
  const [told, similar] = await Promise.all([asked, similarTo(part, index)]);
  const { supersededBy, supersedes } = told ?? { supersededBy: [], supersedes: [] };
  const [successors, predecessors] = await Promise.all([
    index.get("parts", supersededBy),
    index.get("parts", supersedes),
  ]);
  const known = new Set([part.id]);
  const take = (reason: Reason, documents: readonly HitDocument[]): Alternative[] => {
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
 * The thing that a title names, or that the named thing is for: `Carburetor, Assembly, FS730V` and `Carburetor Repair
 * Kit` are carburetors, `Mower Blade, High Lift` is a blade, `Gasket for Carburetor` a gasket; undefined if it names
 * none.
 */
export function titleNoun(title: string): string | undefined {
  return lastThing(cutTitle(title).head, HOW_IT_COMES);
}
