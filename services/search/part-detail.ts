import { getAt } from "@partline/toolkit";
import type { CallOrigin } from "@partline/moleculer-kit";
import type { Result } from "@partline/api-contracts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { type IndexDocument, type SearchIndex, presentPart } from "@partline/parts-search";
import { type Actions, call } from "../contracts.ts";
import { findAlternatives } from "./alternatives.ts";
import { answerInTime } from "./answer-in-time.ts";
import { CATALOG_DEADLINE } from "./limits.ts";
import { findNamedParts } from "./part-availability.ts";

type PartDetail = Result<Actions["search.aiPart"]>;

const MOST_NAMED = 5;

/** Finds a part by its id, or by a SKU or number that no other part has. @throws NOT_FOUND, SERVICE_UNAVAILABLE */
async function findPart(idOrNumber: string, index: Pick<SearchIndex, "get" | "search">): Promise<IndexDocument> {
  const [part] = await answerInTime(index.get("parts", [idOrNumber.toLowerCase()]));
  if (part) return part;
  const namedParts = await answerInTime(findNamedParts(index, idOrNumber));
  if (namedParts.length > 1) {
    const ids = namedParts.slice(0, MOST_NAMED).map(({ id }) => id);
    const which = `${ids.join(", ")}${namedParts.length > MOST_NAMED ? " and others" : ""}`;
    throw new PartlineError("NOT_FOUND", `Several parts have the number '${idOrNumber}'. Ask by id: ${which}`);
  }
  const [only] = namedParts.length === 1 ? await answerInTime(index.get("parts", [getAt(namedParts, 0).id])) : [];
  if (!only) throw notFound("Part", idOrNumber);
  return only;
}

/**
 * A part with what it fits and what could stand in for it; names the sources that did not answer.
 * @throws NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function loadPartDetail(
  origin: CallOrigin,
  id: string,
  {
    index,
    fitmentOf,
    onError,
  }: {
    index: Pick<SearchIndex, "get" | "search">;
    fitmentOf: (part: IndexDocument) => Promise<{ fitment: PartDetail["fitment"]; isWhole: boolean }>;
    onError(what: string, error: unknown): void;
  },
): Promise<PartDetail> {
  const part = await findPart(id, index);
  const { description = null, skuVariants, media, sources, createdAt, updatedAt } = part;
  const loadSupersession = ({ manufacturer: { code: vendor }, partNumber }: IndexDocument) =>
    call(origin, "catalog.supersession", { vendor, partNumber }, { timeout: CATALOG_DEADLINE });
  const [{ fitment, isWhole }, { alternatives, missing = [] }] = await Promise.all([
    fitmentOf(part),
    answerInTime(findAlternatives(part, { index, loadSupersession, onError })),
  ]);
  const lacking = [...missing, ...(isWhole ? [] : ["fitment" as const])];
  return {
    part: { ...presentPart(part), description, skuVariants, media, sources, createdAt, updatedAt },
    fitment,
    alternatives,
    ...(lacking.length === 0 ? {} : { missing: lacking }),
  };
}
