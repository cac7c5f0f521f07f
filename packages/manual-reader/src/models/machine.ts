import type { Candidate, ManualText, PageText } from "./evidence.ts";
import { rankMakers } from "./maker-evidence.ts";
import { rankModels } from "./model-evidence.ts";

/** Which machine a manual is for, and who made it, as far as it says. */
export interface Machine {
  /** Models. */
  equipment: string[];
  manufacturer?: string;
  /** What somebody should confirm, with suggestions, the best first; a key is absent if it is sure. */
  unsure?: Unsure;
}

export interface Unsure {
  equipment?: Candidate[];
  manufacturer?: Candidate[];
}

/** Confidence of what is taken, and of what needs no confirmation. */
const TAKEN = { equipment: 0.51, manufacturer: 0.44 };
const SURE = 0.7;
/** How far behind the best a model may be, and one of the same family. */
const BEHIND_BEST = 0.35;
const SIBLING = 0.3;
/** Letters and digits at the beginning that a family has in common: `GX3` of `GX340` and `GX390`. */
const STEM = /^(?=.*\d).{3,}$/;
const MOST_MODELS = 40;
const MOST_SUGGESTIONS = 8;
const WORTH_SUGGESTING = 0.15;
/** Pages that are looked at: the first and last ones, and others at even distances. */
const MOST_PAGES = 60;
const OUTER = 3;

/** Says which machine a manual is for by all that speaks for it; what the sender says counts as it is. */
export function identifyMachine(
  manual: ManualText,
  givenFacts: { equipment?: readonly string[]; manufacturer?: string } = {},
): Machine {
  const sample = { ...manual, pages: samplePages(manual.pages) };
  let makers = rankMakers(sample);
  let models = rankModels(sample, makers);
  if ((makers[0]?.confidence ?? 0) < TAKEN.manufacturer) {
    makers = rankMakers(sample, models);
    models = rankModels(sample, makers);
  }
  const best = models[0]?.confidence ?? 0;
  const isTaken = ({ confidence }: Candidate): boolean => confidence >= Math.max(TAKEN.equipment, best - BEHIND_BEST);
  const sure = models.filter((model) => model.confidence >= SURE && isTaken(model));
  const isSibling = ({ name, confidence }: Candidate): boolean =>
    confidence >= SIBLING && sure.some((sibling) => isOfFamily(name, sibling.name));
  const likely = models.filter((model) => isTaken(model) || isSibling(model)).slice(0, MOST_MODELS);
  const maker = makers[0] && makers[0].confidence >= TAKEN.manufacturer ? makers[0].name : undefined;
  const { equipment: sentModels = [], manufacturer: sentMaker } = givenFacts;
  const unsure: Unsure = {
    ...(sentModels.length === 0 && best < SURE && { equipment: suggest(models) }),
    ...(sentMaker === undefined && (makers[0]?.confidence ?? 0) < SURE && { manufacturer: suggest(makers) }),
  };
  return {
    equipment: sentModels.length > 0 ? [...sentModels] : likely.map(({ name }) => name),
    manufacturer: sentMaker ?? maker,
    ...(Object.keys(unsure).length > 0 && { unsure }),
  };
}

/** Whether two names differ only at their end, by as many letters or digits of the same kind. */
function isOfFamily(name: string, sibling: string): boolean {
  let length = 0;
  while (length < name.length && name[length] === sibling[length]) length += 1;
  const toShape = (text: string): string => text.replace(/\d/g, "0").replace(/\p{Lu}/gu, "A");
  return STEM.test(name.slice(0, length)) && length >= name.length / 2 && toShape(name) === toShape(sibling);
}

function suggest(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ confidence }) => confidence >= WORTH_SUGGESTING)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ name, confidence }) => ({ name, confidence: Math.round(100 * confidence) / 100 }));
}

function samplePages(pages: readonly PageText[]): PageText[] {
  if (pages.length <= MOST_PAGES) return [...pages];
  const step = (pages.length - 2 * OUTER) / (MOST_PAGES - 2 * OUTER);
  const inside = Array.from({ length: MOST_PAGES - 2 * OUTER }, (_, index) => pages[OUTER + Math.floor(index * step)]);
  return [...pages.slice(0, OUTER), ...inside.filter((page) => page !== undefined), ...pages.slice(-OUTER)];
}
