import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { PageContent } from "../../../../manual-reader/src/page.ts";
import { openPdf } from "../../../../manual-reader/src/pdf/document.ts";
import { readContent } from "../../../../manual-reader/src/pdf/page-walk.ts";
import { meeting, sortRules, type Rules } from "../../../../manual-reader/src/tables/rules.ts";
import { printTable } from "../table.ts";
import { computeF1, relationsOfTables, relationsOfTruth, computeScore, type Relations, type Score } from "./score.ts";
import { TABLE_RULES, tablesBy, thresholds, type TableRule, type Threshold } from "./thresholds.ts";

/** The way in which a document draws its tables. */
type Layout = "ruled" | "lines across" | "without lines";
const LAYOUTS: readonly (Layout | "all")[] = ["ruled", "lines across", "without lines", "all"];
/** Factors by which each number is tried. */
const FACTORS = [0.7, 0.85, 1.15, 1.4];
/** A number whose change of 15 % costs so much stands on a peak: it was fitted. */
const PEAK = 0.01;
/** F1 of a document that a rule changes. */
const CHANGED = 0.005;
const LIMITS = { maxPages: 100, maxPixels: 50_000_000 };

interface Known {
  name: string;
  pages: PageContent[];
  want: Relations;
  layout: Layout;
}

/**
 * Tries other values for each number that the extractor has, and leaves each of its rules out: how much depends on it,
 * and what a document scores by what all the others would have chosen. Where that is much less than what it scores now,
 * numbers or rules were chosen for the documents in sight.
 */
export async function tellLeftOut(folder: string): Promise<void> {
  const documents = await knownDocuments(folder);
  const scored = async (change?: Threshold | TableRule): Promise<Score[]> => {
    const find = await tablesBy(change);
    return documents.map(({ pages, want }) =>
      computeScore(relationsOfTables(pages.flatMap((page) => find(page).map(({ rows }) => rows))), want),
    );
  };
  const present = await scored();
  const tried: { threshold: Threshold; scores: Score[] }[][] = [];
  for (const threshold of thresholds()) {
    const values: { threshold: Threshold; scores: Score[] }[] = [{ threshold, scores: present }];
    for (const factor of FACTORS) {
      const change = { ...threshold, value: threshold.value * factor };
      values.push({ threshold: change, scores: await scored(change) });
    }
    tried.push(values);
  }
  const without: { rule: TableRule; scores: Score[] }[] = [];
  for (const rule of TABLE_RULES) without.push({ rule, scores: await scored(rule) });
  /**
   * By the number that does best on the others, and without the rule of which these have no need that costs it most.
   */
  const leftOut = documents.map((_, index) => {
    const scoreOthers = (scores: readonly Score[]): number => computeF1(scores.toSpliced(index, 1));
    const best = tried
      .flat()
      .reduce((best, { scores }) => (scoreOthers(scores) > scoreOthers(best) + 1e-9 ? scores : best), present);
    const unneeded = without.filter(({ scores }) => scoreOthers(scores) >= scoreOthers(present) - 1e-9);
    return [best, ...unneeded.map(({ scores }) => scores)]
      .map((scores) => scores[index]!)
      .reduce((least, score) => (computeF1([score]) < computeF1([least]) ? score : least));
  });
  const changes = (score: Score, otherScore: Score): number => computeF1([score]) - computeF1([otherScore]);
  printTable(
    `Tables of ${documents.length} documents`,
    ["", "documents", "F1", "F1 left out"],
    LAYOUTS.map((layout) => {
      const indexes = documents.flatMap((document, index) =>
        layout === "all" || document.layout === layout ? [index] : [],
      );
      const formatScore = (scores: readonly Score[]): string =>
        computeF1(indexes.map((index) => scores[index]!)).toFixed(3);
      return [layout, String(indexes.length), formatScore(present), formatScore(leftOut)];
    }),
  );
  printTable(
    "F1 by each number's other values",
    ["", "value", ...FACTORS.map((factor) => `x ${factor}`), ""],
    tried.map(([firstTry, ...otherTries]) => {
      const f1s = otherTries.map(({ scores }) => computeF1(scores));
      const isPeak = [1, 2].every((index) => f1s[index]! < computeF1(present) - PEAK);
      return [
        `${firstTry!.threshold.file} ${firstTry!.threshold.name}`,
        String(firstTry!.threshold.value),
        ...f1s.map((f1) => f1.toFixed(3)),
        isPeak ? "on a peak" : "",
      ];
    }),
  );
  printTable(
    "Without a rule: F1, documents that it helps, and that it harms",
    ["", "F1", "helps", "harms", ""],
    without.map(({ rule, scores }) => {
      const gains = scores.map((score, index) => changes(present[index]!, score));
      const helped = gains.filter((gain) => gain > CHANGED).length;
      return [
        rule.name,
        computeF1(scores).toFixed(3),
        String(helped),
        String(gains.filter((gain) => gain < -CHANGED).length),
        helped < 2 ? "of one document" : "",
      ];
    }),
  );
}

async function knownDocuments(folder: string): Promise<Known[]> {
  const documents: Known[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".pdf"))) {
    const truth = join(folder, file.replace(/\.pdf$/, "-str.xml"));
    const open = await openPdf(join(folder, file), LIMITS as Parameters<typeof openPdf>[1]);
    if (!existsSync(truth) || "reason" in open) continue;
    const pages: PageContent[] = [];
    for (let number = 1; number <= open.pdf.numPages; number += 1) {
      const page = await open.pdf.getPage(number);
      pages.push((await readContent(page, await open.pdf.getOptionalContentConfig())).content);
      page.cleanup();
    }
    await open.close();
    documents.push({ name: file, pages, want: relationsOfTruth(truth), layout: describeLayout(pages) });
  }
  return documents;
}

function describeLayout(pages: readonly PageContent[]): Layout {
  const rules = pages.map(({ lines }) => sortRules(lines));
  const isFrame = ({ horizontal, vertical }: Rules): boolean => horizontal.length >= 3 && vertical.length >= 3;
  if (rules.some((ruleSet) => meeting(ruleSet).some(isFrame))) return "ruled";
  return rules.some(({ horizontal }) => horizontal.length >= 2) ? "lines across" : "without lines";
}
