import { deduplicate, MACHINES, type MachineMention } from "@partline/parts-language/words";
import { normalizePartNumber } from "@partline/parts-language";
import { toModelKey } from "@partline/parts-search";
import type { CatalogMachineMention, DeskSources } from "./port.ts";

/** How sure a mention is of its machine. */
const RANKS = { named: 3, part: 2, near: 1, maker: 0 } as const;

/**
 * Finds where a text names machines, those of manuals and those that the catalog has parts for. Of mentions over each
 * other the surest counts, then the longest; two that are as sure mean the machines of both.
 */
export async function findMachines(text: string, sources: DeskSources): Promise<MachineMention[]> {
  const [manuals, catalog] = await Promise.all([sources.findMachines(text), sources.findCatalogMachines(text)]);
  const mentions = [...manuals, ...catalog.map(toMention)].sort(
    (a, b) => RANKS[b.how] - RANKS[a.how] || b.to - b.from - (a.to - a.from),
  );
  const surest: MachineMention[] = [];
  for (const mention of mentions) {
    const over = surest.find(({ from, to }) => mention.from < to && mention.to > from);
    if (!over) surest.push({ ...mention });
    else if (mention.how === over.how && mention.to - mention.from === over.to - over.from)
      over.models = [...over.models, ...mention.models.filter((model) => !over.models.some(isSame(model)))];
  }
  return surest.sort((a, b) => a.from - b.from).map((mention) => ({ ...mention, to: findEndOfKind(text, mention.to) }));
}

/** Words behind a machine's name. */
const BEHIND = /^(?:\s+\p{L}+){2,3}/u;
/** What says, in front of a word for machines, which kind it is. */
const OF_KINDS = new Set(
  "post hole finish rotary flail brush lawn garden zero turn walk behind log stump snow leaf wood".split(" "),
);
const ENGINES = new Set(["engine", "engines", "motor", "motors"]);

/**
 * Finds where the kind of a machine ends that stands behind its name: `925 post hole digger`. An engine is a part of
 * it.
 */
function findEndOfKind(text: string, end: number): number {
  const words = [...(BEHIND.exec(text.slice(end))?.[0] ?? "").toLowerCase().matchAll(/\p{L}+/gu)];
  const last = words.findIndex(({ 0: word }) => MACHINES.has(word) && !OF_KINDS.has(word));
  const { 0: word = "", index = 0 } = words[last] ?? {};
  const isKind = last > 0 && !ENGINES.has(word) && words.slice(0, last).every(({ 0: front }) => OF_KINDS.has(front));
  return isKind ? end + index + word.length : end;
}

function toMention({ from, to, name, how }: CatalogMachineMention): MachineMention {
  return { from, to, models: [{ equipment: name }], how };
}

const isSame =
  ({ equipment }: { equipment: string }) =>
  (candidate: { equipment: string }): boolean =>
    toModelKey(equipment) === toModelKey(candidate.equipment);

/** Returns whether one of a part's machines is one of these. */
export function fitsOne(fits: readonly string[] | undefined, machines: readonly string[]): boolean {
  const keys = new Set(machines.map(toModelKey));
  return fits !== undefined && fits.some((machine) => keys.has(toModelKey(machine)));
}

/** Lists the machines that a part is for, each once. */
export function listPartMachines(part: {
  rows: readonly { equipment: string }[];
  catalog?: { fits?: readonly string[] };
}) {
  return deduplicate([...part.rows.map(({ equipment }) => equipment), ...(part.catalog?.fits ?? [])]);
}

/** Returns a pattern of a name's letters and digits, glued or not. */
export const toSpellingPattern = (name: string): string => [...normalizePartNumber(name)].join(String.raw`[\s.-]*`);

/** Returns whether a line has a name, glued or not, and not as the end of a longer one: `H740S` is not in `CH-740S`. */
export function isIn(name: string, line: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${toSpellingPattern(name)}(?![\p{L}\p{N}])`, "iu").test(line);
}

/** Returns whether a part's title names a machine: its model, and its maker where that says which model it is. */
export function isMachineInTitle(name: string, title: string): boolean {
  const [, maker = "", model = name] = /^(.*?)\s*((?:\p{L}{1,3}\s+)?\S*\d\S*)$/u.exec(name) ?? [];
  const isSure = maker === "" || /\p{L}/u.test(model);
  return isIn(model, title) && (isSure || maker.split(/\s+/).every((word) => isIn(word, title)));
}
