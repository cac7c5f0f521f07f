import type { Finding } from "./retrieval.ts";
import { isPrintedSo } from "../understanding/lists.ts";
import { relevanceOf } from "./relevance.ts";
import type { DeskSources } from "../sources/sources.ts";
import type { Ask } from "../understanding/understanding.ts";

/** Equipment of one question that is looked up. */
const MOST_EQUIPMENT = 6;

type LookUp = (ask: Ask) => Promise<Finding>;

/** What a question finds: each part of a list, where it is one, for each equipment by itself. */
export async function lookUpEach(ask: Ask, lookUp: LookUp, sources: Pick<DeskSources, "byModel">): Promise<Finding[]> {
  const [whole, ...pieces] = await Promise.all(
    [ask, ...ask.pieces].map((each) => forEachEquipment(each, lookUp, sources)),
  );
  if (!isList(ask, whole!, pieces)) return whole!;
  const told = pieces.filter((findings, at) => findings.some(isAnswered) || !REMARK.test(ask.pieces[at]!.text));
  return told
    .map((findings, at) =>
      findings.map((finding) => ({
        ...withoutOthers(finding, told.filter((_, place) => place !== at).flat()),
        isOneOfSeveral: true,
      })),
    )
    .flat();
}

/** What found nothing and says something of itself asks for no part: `it broke last summer`. */
const REMARK = /\b(?:i|it|he|she|they|that|this|is|are|was|were|am|has|had|thanks?|please)\b/i;

/** Without what is the one answer to another piece: a pre-cleaner that is asked for beside a filter. */
function withoutOthers(finding: Finding, others: readonly Finding[]): Finding {
  const taken = new Set(others.filter(({ parts }) => parts.length === 1).map(({ parts }) => parts[0]!.pnNorm));
  const parts = finding.parts.filter(({ pnNorm }) => !taken.has(pnNorm));
  return parts.length === 0
    ? finding
    : { ...finding, parts, total: finding.total - finding.parts.length + parts.length };
}

function isAnswered({ parts, quotes }: Finding): boolean {
  return parts.length > 0 || quotes.length > 0;
}

async function forEachEquipment(ask: Ask, lookUp: LookUp, sources: Pick<DeskSources, "byModel">): Promise<Finding[]> {
  const machines = [...Map.groupBy(ask.models, ({ equipment }) => equipment).entries()].slice(0, MOST_EQUIPMENT);
  if (machines.length < 2) return [await lookUp(ask)];
  const findings = joined(await Promise.all(machines.map(([, models]) => lookUp({ ...ask, models })))).map(
    (finding) => ({ ...finding, isOneOfSeveral: true }),
  );
  if (!ask.isWhether || findings.length < 2) return findings;
  const numbers = await Promise.all(
    machines.map(async ([equipment]) => ({
      equipment,
      pnNorms: new Set((await sources.byModel(equipment)).map(({ pnNorm }) => pnNorm)),
    })),
  );
  return findings.map((finding) => ({
    ...finding,
    besides: numbers.filter(({ equipment }) => finding.ask.models.every((model) => model.equipment !== equipment)),
  }));
}

/** Machines of which the same is found, in the same places, as one. */
function joined(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, sameness).values()].map((same) => ({
    ...same[0]!,
    ask: { ...same[0]!.ask, models: same.flatMap(({ ask }) => ask.models) },
  }));
}

function sameness({ ask, parts, quotes, nearest, elsewhere }: Finding): string {
  const own = new Set(ask.models.map(({ equipment }) => equipment));
  const places = parts.map(({ pnNorm, rows }) => [
    pnNorm,
    rows
      .filter(({ equipment }) => own.has(equipment))
      .map(({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity]),
  ]);
  return JSON.stringify([
    places,
    quotes.map(({ sha256, page, line }) => [sha256, page, line]),
    nearest.map(({ partNumber }) => partNumber),
    parts.length > 0 ? [] : elsewhere.map(({ equipment }) => equipment),
  ]);
}

/**
 * Whether the pieces are parts of their own: each finds something by itself, or those that do find more than all
 * together. `Bolt, Blade` as it is printed is one part, and so is `tire and wheel assembly` where there is one.
 */
function isList(
  { pieces: asked, terms }: Ask,
  whole: readonly Finding[],
  pieces: readonly (readonly Finding[])[],
): boolean {
  const names = asked.map(({ name }) => name);
  const parts = whole.flatMap((finding) => finding.parts);
  const found = pieces.filter((findings) => findings.some(isAnswered));
  if (found.length === 0 || parts.some(({ description }) => isPrintedSo(description, names))) return false;
  if (found.length === pieces.length)
    return (
      new Set(
        found
          .flat()
          .flatMap(({ parts: own, quotes }) => [
            ...own.map(({ pnNorm }) => pnNorm),
            ...quotes.map((quote) => JSON.stringify(quote)),
          ]),
      ).size > 1
    );
  return parts.every(
    ({ description, rows }) => relevanceOf({ terms }, { description, schema: rows[0]?.schema }).coverage < 1,
  );
}
