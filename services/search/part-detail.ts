import type { Result } from "../../broker/contract/define.ts";
import { notFound } from "../../mixins/errors.ts";
import type { IndexDocument, SearchIndex } from "../../mixins/search-index/port.ts";
import { alternativesTo, type AlternativeSources } from "./alternatives.ts";
import { answerInTime } from "./answer-in-time.ts";
import type { searchContract } from "./contract.ts";
import { toPartDetail } from "./views.ts";

type PartDetail = Result<(typeof searchContract)["actions"]["aiPart"]>;

export interface PartDetailSources extends Omit<AlternativeSources, "index"> {
  /** What the part fits, by manuals. */
  fitment(part: IndexDocument): Promise<PartDetail["fitment"]>;
}

/**
 * A part with what it fits and what could stand in for it; names the sources that did not answer.
 * @throws NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function partDetail(
  id: string,
  index: Pick<SearchIndex, "get" | "search">,
  { fitment: fitmentOf, supersession, onError }: PartDetailSources,
): Promise<PartDetail> {
  const [part] = await answerInTime(index.get("parts", [id.toLowerCase()]));
  if (!part) throw notFound("Part", id);
  const [fitment, { alternatives, missing = [] }] = await Promise.all([
    fitmentOf(part).catch((error: unknown) => {
      onError("It could not be asked what a part fits", error);
      return undefined;
    }),
    answerInTime(alternativesTo(part, { index, supersession, onError })),
  ]);
  const lacking = [...missing, ...(fitment ? [] : ["fitment" as const])];
  return {
    part: toPartDetail(part),
    fitment: fitment ?? [],
    alternatives,
    ...(lacking.length === 0 ? {} : { missing: lacking }),
  };
}
