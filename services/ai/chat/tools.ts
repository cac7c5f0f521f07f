import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { Evidence } from "../desk/evidence.ts";
import { keyOf } from "../desk/finding.ts";
import type { FoundPart } from "../desk/facts.ts";
import { retrieve } from "../desk/retrieval.ts";
import type { DeskSources } from "../desk/sources.ts";
import { understand } from "../desk/understanding.ts";
import type { FactsTold } from "./facts-told.ts";
import { partFacts, passageFacts, type Fence } from "./prompt.ts";

/** Parts that one look-up tells of. */
const MOST_PARTS = 8;
/** Look-ups for one answer. */
const MOST_LOOKUPS = 12;
const NO_MORE = "No more look-ups: answer from what you were told.";

/** What a model may look up. Nothing of it changes anything, and whatever it tells is noted as told. */
export interface Lookups {
  searchManuals(input: { words: string; model?: string }): Promise<string>;
  lookupPart(input: { part_number: string }): Promise<string>;
  equipmentParts(input: { model: string; words?: string }): Promise<string>;
}

export function createLookups(sources: DeskSources, facts: FactsTold, fence: Fence): Lookups {
  const tell = async (parts: readonly FoundPart[]): Promise<ReturnType<typeof partFacts>[]> => {
    const some = parts.slice(0, MOST_PARTS);
    const offers = some.length === 0 ? [] : await sources.offers(some);
    return some.map((part, at) => {
      facts.tell(part, offers[at]!);
      return partFacts(part, offers[at]!);
    });
  };
  /** What the desk itself would find. */
  const find = async (text: string): Promise<FoundPart[]> => {
    const named = await sources.modelsNamedIn(text);
    const findings = await retrieve(understand(text, named), sources);
    return [...new Map(findings.flatMap(({ parts, successors }) => [...parts, ...successors]).map((part) => [keyOf(part), part])).values()];
  };
  let looked = 0;
  /** A model that does not stop looking up is told to. */
  const counted = <Input>(look: (input: Input) => Promise<string>) => async (input: Input): Promise<string> => ((looked += 1) > MOST_LOOKUPS ? NO_MORE : await look(input));
  return {
    searchManuals: counted(async ({ words, model }) => {
      const question = model === undefined ? words : `${words} for ${model}`;
      const named = await sources.modelsNamedIn(question);
      const [parts, passages] = await Promise.all([find(question), sources.passages({ words, ...(named.length === 0 ? {} : { models: named.map(({ equipment }) => equipment) }), limit: MOST_PARTS })]);
      return fence.around("RESULT", JSON.stringify({ parts: await tell(parts), passages: passageFacts(passages) }));
    }),
    lookupPart: counted(async ({ part_number }) => {
      const known = facts.parts().find(({ pnNorm }) => pnNorm === normalizePartNumber(part_number));
      const parts = known ? [partFacts(known, facts.offerOf(known))] : await tell(await find(part_number));
      return fence.around("RESULT", JSON.stringify({ parts }));
    }),
    equipmentParts: counted(async ({ model, words }) => {
      return fence.around("RESULT", JSON.stringify({ parts: await tell(await find(words === undefined ? model : `${words} for ${model}`)) }));
    }),
  };
}

/** What the desk has found already is told with the question. */
export function tellEvidence(evidence: Evidence, facts: FactsTold): void {
  for (const part of evidence.parts) facts.tell(part, evidence.offerOf(part));
  for (const { ask } of evidence.findings) for (const { equipment } of ask.models) facts.name(equipment);
}
