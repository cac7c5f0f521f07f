import type { CallOrigin } from "../../broker/contract/call.ts";
import type { Result } from "../../broker/contract/define.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { type IndexDocument, type SearchIndex, shownPart } from "@partline/parts-search";
import { type Actions, call } from "../contracts.ts";
import { alternativesTo } from "./alternatives.ts";
import { answerInTime } from "./answer-in-time.ts";
import { CATALOG_DEADLINE } from "./limits.ts";
import { partsNamed } from "./part-availability.ts";

type PartDetail = Result<Actions["search.aiPart"]>;

const MOST_NAMED = 5;

/** Finds a part by its id, or by a SKU or number that no other part has. @throws NOT_FOUND, SERVICE_UNAVAILABLE */
async function findPart(idOrNumber: string, index: Pick<SearchIndex, "get" | "search">): Promise<IndexDocument> {
  const [part] = await answerInTime(index.get("parts", [idOrNumber.toLowerCase()]));
  if (part) return part;
  const named = await answerInTime(partsNamed(index, idOrNumber));
  if (named.length > 1) {
    const ids = named.slice(0, MOST_NAMED).map(({ id }) => id);
    const which = `${ids.join(", ")}${named.length > MOST_NAMED ? " and others" : ""}`;
    throw new PartlineError("NOT_FOUND", `Several parts have the number '${idOrNumber}'. Ask by id: ${which}`);
  }
  const [only] = named.length === 1 ? await answerInTime(index.get("parts", [named[0]!.id])) : [];
  if (!only) throw notFound("Part", idOrNumber);
  return only;
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
    onError(what: string, error: unknown): void;
  },
): Promise<PartDetail> {
  const part = await findPart(id, index);
  const { description = null, skuVariants, media, sources, createdAt, updatedAt } = part;
  const supersession = ({ manufacturer: { code: vendor }, partNumber }: IndexDocument) =>
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
    part: { ...shownPart(part), description, skuVariants, media, sources, createdAt, updatedAt },
    fitment: fitment ?? [],
    alternatives,
    ...(lacking.length === 0 ? {} : { missing: lacking }),
  };
}
