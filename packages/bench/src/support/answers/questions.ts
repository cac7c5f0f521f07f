import { normalize } from "../generators/manuals/number-families.ts";
import { randomFrom, type Random } from "../generators/random.ts";
import type { PartTruth } from "../generators/manuals/truth.ts";
import { misspell } from "../relevance/misspell.ts";
import { SYNONYMS } from "../relevance/trade-words.ts";
import { isReadable, plainlyNamed, type KnownManual } from "./known-manuals.ts";
import { ABSENT_PARTS, many, OFF_TOPIC, WORDINGS } from "./wordings.ts";

export const KINDS = [
  "part for a model",
  "mistyped",
  "in the trade's words",
  "how many",
  "which page",
  "replaced by",
  "number typed",
  "equipment of a part",
  "several at once",
  "unanswerable",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Wanted {
  /** Any of these normalised numbers will do. */
  pnNorms: readonly string[];
  /** Asked for. */
  quantity?: number;
  /** The pages that an answer may cite, if the question asks for them. */
  cited?: { sha256: string; pages: readonly number[] };
}

export interface Question {
  kind: Kind;
  query: string;
  /** Empty: no manual has it, and no part may be named. */
  wanted: readonly Wanted[];
  /** Any of these must be in the answer's words. */
  told?: readonly string[];
}

/** Number of questions of each kind: 212 in all. */
const COUNTS: Readonly<Record<Kind, number>> = {
  "part for a model": 52,
  mistyped: 14,
  "in the trade's words": 14,
  "how many": 32,
  "which page": 16,
  "replaced by": 16,
  "number typed": 20,
  "equipment of a part": 14,
  "several at once": 10,
  unanswerable: 24,
};

/** Questions that the manuals answer, and some that they do not; the same for the same manuals. */
export function makeQuestions(manuals: readonly KnownManual[]): Question[] {
  const random = randomFrom("questions");
  const askedKeys = new Set<string>();
  const pickNamed = (): { manual: KnownManual; part: PartTruth } => {
    for (;;) {
      const manual = random.pick(manuals);
      const parts = plainlyNamed(manual).filter(({ name }) => !askedKeys.has(`${manual.sha256} ${name}`));
      if (parts.length === 0) continue;
      const part = random.pick(parts);
      askedKeys.add(`${manual.sha256} ${part.name}`);
      return { manual, part };
    }
  };
  const makers: Readonly<Record<Kind, () => Question>> = {
    "part for a model": () => {
      const { manual, part } = pickNamed();
      return {
        kind: "part for a model",
        query: fill(random, WORDINGS.part, manual, part),
        wanted: [{ pnNorms: [part.pnNorm] }],
      };
    },
    mistyped: () => {
      const { manual, part } = pickNamed();
      const words = lower(part).split(" ");
      const at = random.integer(0, words.length - 1);
      const wrong = misspell(random, words[at]!, new Set());
      if (wrong === undefined) return makers.mistyped();
      const name = words.map((word, index) => (index === at ? wrong : word)).join(" ");
      return {
        kind: "mistyped",
        query: fill(random, WORDINGS.part, manual, { ...part, name }),
        wanted: [{ pnNorms: [part.pnNorm] }],
      };
    },
    "in the trade's words": () => {
      const manual = random.pick(manuals);
      const [called, ...nouns] = random.pick(SYNONYMS);
      const matchingParts = manual.truth.parts.filter(
        (part) => nouns.includes(part.name!) && part.ledBy === "column-header" && isReadable(manual, part),
      );
      if (matchingParts.length === 0 || askedKeys.has(`${manual.sha256} ${called}`))
        return makers["in the trade's words"]();
      askedKeys.add(`${manual.sha256} ${called}`);
      return {
        kind: "in the trade's words",
        query: fill(random, WORDINGS.part, manual, { ...matchingParts[0]!, name: called }),
        wanted: [{ pnNorms: matchingParts.map(({ pnNorm }) => pnNorm) }],
      };
    },
    "how many": () => {
      const { manual, part } = until(
        pickNamed,
        (candidate) => candidate.part.quantity !== undefined && sameQuantity(candidate.part, candidate.manual),
      );
      return {
        kind: "how many",
        query: fill(random, WORDINGS.quantity, manual, part),
        wanted: [{ pnNorms: [part.pnNorm], quantity: part.quantity! }],
      };
    },
    "which page": () => {
      const { manual, part } = pickNamed();
      const pages = manual.truth.parts.filter(({ pnNorm }) => pnNorm === part.pnNorm).map(({ page }) => page);
      return {
        kind: "which page",
        query: fill(random, WORDINGS.page, manual, part),
        wanted: [{ pnNorms: [part.pnNorm], cited: { sha256: manual.sha256, pages } }],
      };
    },
    "replaced by": () => {
      const { part } = anyPart(random, manuals, askedKeys, (partTruth) => partTruth.replacedBy !== undefined);
      return {
        kind: "replaced by",
        query: random.pick(WORDINGS.replaced).replace("{number}", part.partNumber),
        wanted: [{ pnNorms: [normalize(part.replacedBy!)] }],
      };
    },
    "number typed": () => {
      const { part } = anyPart(
        random,
        manuals,
        askedKeys,
        (partTruth) => partTruth.family !== "sku" && partTruth.ledBy === "column-header",
      );
      return {
        kind: "number typed",
        query: random.pick(WORDINGS.number).replace("{number}", spelt(random, part.partNumber)),
        wanted: [{ pnNorms: [part.pnNorm, ...(part.replacedBy === undefined ? [] : [normalize(part.replacedBy)])] }],
      };
    },
    "equipment of a part": () => {
      const { part } = anyPart(
        random,
        manuals,
        askedKeys,
        (partTruth) =>
          partTruth.family !== "sku" &&
          partTruth.ledBy === "column-header" &&
          partTruth.layout !== "supersession" &&
          partTruth.replacedBy === undefined,
      );
      const fitting = manuals.filter(({ truth }) =>
        truth.parts.some(({ pnNorm, ledBy }) => pnNorm === part.pnNorm && ledBy === "column-header"),
      );
      return {
        kind: "equipment of a part",
        query: random.pick(WORDINGS.equipment).replace("{number}", part.partNumber),
        wanted: [{ pnNorms: [part.pnNorm] }],
        told: fitting.flatMap(({ truth }) => truth.models),
      };
    },
    "several at once": () => {
      const { manual, part } = pickNamed();
      const otherParts = plainlyNamed(manual).filter(
        ({ name, quantity }) => name !== part.name && quantity !== undefined,
      );
      const second = random.pick(otherParts);
      const third = random.pick(otherParts.filter(({ name }) => name !== second.name));
      const query = random
        .pick(WORDINGS.several)
        .replace("{first}", lower(part))
        .replace("{second}", lower(second))
        .replace("{thirds}", many(lower(third)))
        .replace("{model}", typedModel(random, manual));
      return {
        kind: "several at once",
        query,
        wanted: [
          { pnNorms: [part.pnNorm] },
          { pnNorms: [second.pnNorm] },
          { pnNorms: [third.pnNorm], ...(sameQuantity(third, manual) ? { quantity: third.quantity! } : {}) },
        ],
      };
    },
    unanswerable: () => {
      const { manual, part } = pickNamed();
      const query = random.pick([
        () => random.pick(WORDINGS.part).replace("{name}", lower(part)).replace("{model}", random.code("{XQ}A-0000")),
        () => fill(random, WORDINGS.part, manual, { ...part, name: random.pick(ABSENT_PARTS) }),
        () => random.pick(WORDINGS.number).replace("{number}", random.code("{9}A0-{ZZ}-000A")),
        () => random.pick(OFF_TOPIC),
      ])();
      return { kind: "unanswerable", query, wanted: [] };
    },
  };
  return KINDS.flatMap((kind) => Array.from({ length: COUNTS[kind] }, () => makers[kind]()));
}

/** A part of any manual that can be read, not asked for before. */
function anyPart(
  random: Random,
  manuals: readonly KnownManual[],
  askedKeys: Set<string>,
  suits: (part: PartTruth) => boolean,
): { manual: KnownManual; part: PartTruth } {
  for (;;) {
    const manual = random.pick(manuals);
    const parts = manual.truth.parts.filter(
      (part) => suits(part) && isReadable(manual, part) && !askedKeys.has(part.pnNorm),
    );
    if (parts.length === 0) continue;
    const part = random.pick(parts);
    askedKeys.add(part.pnNorm);
    return { manual, part };
  }
}

/** A part that two figures need differently often has no one answer. */
function sameQuantity(part: PartTruth, { truth }: KnownManual): boolean {
  return truth.parts.every(({ pnNorm, quantity }) => pnNorm !== part.pnNorm || quantity === part.quantity);
}

function until<T>(make: () => T, suits: (value: T) => boolean): T {
  for (;;) {
    const value = make();
    if (suits(value)) return value;
  }
}

function fill(random: Random, wordings: readonly string[], manual: KnownManual, part: PartTruth): string {
  return random
    .pick(wordings)
    .replace("{names}", many(lower(part)))
    .replace("{name}", lower(part))
    .replace("{model}", typedModel(random, manual));
}

function lower({ name }: PartTruth): string {
  return name!.toLowerCase();
}

/** A model as people type it. */
function typedModel(random: Random, { truth }: KnownManual): string {
  const model = random.pick(truth.models);
  return random.pick([
    model,
    model,
    model.toLowerCase(),
    model.replaceAll(/[- ]/g, ""),
    `${truth.manufacturer} ${model}`,
  ]);
}

/** A number as people type it: in any case, without its dashes, with others. */
function spelt(random: Random, partNumber: string): string {
  return random.pick([
    partNumber,
    partNumber.toLowerCase(),
    partNumber.replaceAll(/[-. ]/g, ""),
    partNumber.replaceAll(/[-. ]/g, " "),
    partNumber.replaceAll(/[. ]/g, "-"),
  ]);
}
