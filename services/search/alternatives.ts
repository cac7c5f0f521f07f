import type { Result } from "@partline/api-contracts";
import {
  cutTitle,
  type HitDocument,
  type IndexDocument,
  findLastThing,
  type SearchIndex,
  presentHit,
} from "@partline/parts-search";
import type { Actions } from "../contracts.ts";
import { toHitsQuery } from "./query.ts";

type Alternative = Result<Actions["search.aiPart"]>["alternatives"][number];
type Supersession = Pick<Result<Actions["catalog.supersession"]>, "supersededBy" | "supersedes">;

/** A kit for a filter is similar to the filter. */
const HOW_IT_COMES = new Set(["kit", "set", "pack", "service", "repair"]);
const MOST_OF_A_KIND = 8;
/** Hits that are looked through for similar parts: some name the thing and are another. */
const ENOUGH = 40;

/**
 * Finds what could stand in for a part at the same maker: its successors, the parts that it replaced, and active
 * parts of its category whose title names the same thing. Without an answer of the catalog, only the latter.
 */
export async function findAlternatives(
  part: IndexDocument,
  {
    index,
    loadSupersession: supersession,
    onError,
  }: {
    index: Pick<SearchIndex, "search" | "get">;
    loadSupersession(part: IndexDocument): Promise<Supersession>;
    onError(what: string, error: unknown): void;
  },
): Promise<{ alternatives: Alternative[]; missing?: "supersession"[] }> {
  const supersessionLookup = supersession(part).catch((error: unknown) => {
    onError("The catalog could not be asked what replaces a part", error);
    return undefined;
  });
  const [replacements, similar] = await Promise.all([supersessionLookup, findSimilar(part, index)]);
  const get = (parts: Supersession["supersedes"] = []) =>
    index.get(
      "parts",
      parts.map(({ id }) => id),
    );
  const [successors, predecessors] = await Promise.all([
    get(replacements?.supersededBy),
    get(replacements?.supersedes),
  ]);
  const shownIds = new Set([part.id]);
  const take = (reason: Alternative["reason"], documents: readonly HitDocument[]): Alternative[] => {
    const newParts = documents.filter(({ id }) => !shownIds.has(id)).slice(0, MOST_OF_A_KIND);
    for (const { id } of newParts) shownIds.add(id);
    return newParts.map((document) => ({ reason, part: presentHit({ document, highlights: {} }) }));
  };
  return {
    alternatives: [...take("successor", successors), ...take("predecessor", predecessors), ...take("similar", similar)],
    ...(replacements ? {} : { missing: ["supersession"] }),
  };
}

async function findSimilar(
  { title, category, manufacturer }: IndexDocument,
  index: Pick<SearchIndex, "search">,
): Promise<HitDocument[]> {
  const noun = findTitleNoun(title);
  if (noun === undefined) return [];
  const { hits } = await index.search("parts", {
    ...toHitsQuery(noun, ENOUGH),
    categories: [category],
    manufacturers: [manufacturer.code],
  });
  return hits.map(({ document }) => document).filter((candidate) => findTitleNoun(candidate.title) === noun);
}

/**
 * The thing that a title names, or that the named thing is for: `Carburetor, Assembly, FS730V` and `Carburetor Repair
 * Kit` are carburetors, `Mower Blade, High Lift` is a blade, `Gasket for Carburetor` a gasket; undefined if it names
 * none.
 */
export function findTitleNoun(title: string): string | undefined {
  return findLastThing(cutTitle(title).head, HOW_IT_COMES);
}
