import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { askedFor, type Evidence } from "../desk/finding/evidence.ts";
import { keyOf } from "../desk/finding/finding.ts";
import type { FoundPart } from "../desk/facts.ts";
import { retrieve } from "../desk/finding/retrieval.ts";
import type { DeskSources } from "../desk/sources/sources.ts";
import { understand } from "../desk/understanding/understanding.ts";
import { FactsTold } from "./facts-told.ts";
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
  const tell = async ({ parts, asked }: Found): Promise<ReturnType<typeof partFacts>[]> => {
    const some = parts.slice(0, MOST_PARTS);
    const offers = some.length === 0 ? [] : await sources.offers(some);
    return some.map((part, at) => {
      facts.tell(part, offers[at]!);
      return partFacts(part, offers[at]!, asked);
    });
  };
  /** What the desk itself would find. */
  const find = async (text: string): Promise<Found> => {
    const named = await sources.modelsNamedIn(text);
    const findings = await retrieve(understand(text, named), sources);
    return {
      parts: [
        ...new Map(
          findings.flatMap(({ parts, successors }) => [...parts, ...successors]).map((part) => [keyOf(part), part]),
        ).values(),
      ],
      asked: named.map(({ equipment }) => equipment),
    };
  };
  let looked = 0;
  /** A model that does not stop looking up is told to. */
  const counted =
    <Input>(look: (input: Input) => Promise<string>) =>
    async (input: Input): Promise<string> =>
      (looked += 1) > MOST_LOOKUPS ? NO_MORE : await look(input);
  return {
    searchManuals: counted(async ({ words, model }) => {
      const question = model === undefined ? words : `${words} for ${model}`;
      const named = await sources.modelsNamedIn(question);
      const [found, passages] = await Promise.all([
        find(question),
        sources.passages({
          words,
          ...(named.length === 0 ? {} : { models: named.map(({ equipment }) => equipment) }),
          limit: MOST_PARTS,
        }),
      ]);
      return fence.around("RESULT", JSON.stringify({ parts: await tell(found), passages: passageFacts(passages) }));
    }),
    lookupPart: counted(async ({ part_number }) => {
      const known = facts.parts().find(({ pnNorm }) => pnNorm === normalizePartNumber(part_number));
      const parts = known ? [partFacts(known, facts.offerOf(known), [])] : await tell(await find(part_number));
      return fence.around("RESULT", JSON.stringify({ parts }));
    }),
    equipmentParts: counted(async ({ model, words }) => {
      return fence.around(
        "RESULT",
        JSON.stringify({ parts: await tell(await find(words === undefined ? model : `${words} for ${model}`)) }),
      );
    }),
  };
}

interface Found {
  parts: FoundPart[];
  /** Equipment that was asked about. */
  asked: string[];
}

/** What the desk has found already is told with the question. */
export function factsOf(evidence: Evidence): FactsTold {
  const facts = new FactsTold(evidence.findings.flatMap(({ ask }) => ask.models.map(({ equipment }) => equipment)));
  for (const part of evidence.parts) facts.tell(part, evidence.offerOf(part), askedFor(part, evidence));
  return facts;
}
