import type { CallOrigin } from "../../broker/contract/call.ts";
import type { Result } from "../../broker/contract/define.ts";
import { notFound } from "../../mixins/errors.ts";
import type { IndexDocument, SearchIndex } from "../../mixins/search-index/port.ts";
import { shownPart } from "../../mixins/search-index/shown.ts";
import { type Actions, call } from "../contracts.ts";
import { alternativesTo } from "./alternatives.ts";
import { answerInTime } from "./answer-in-time.ts";
import { CATALOG_DEADLINE } from "./limits.ts";

type PartDetail = Result<Actions["search.aiPart"]>;

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
  const [part] = await answerInTime(index.get("parts", [id.toLowerCase()]));
  if (!part) throw notFound("Part", id);
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
    part: { ...shownPart(part), description: part.description ?? null, skuVariants: part.skuVariants },
    fitment: fitment ?? [],
    alternatives,
    ...(lacking.length === 0 ? {} : { missing: lacking }),
  };
}
