import {
  compareMeasures,
  convert,
  findMeasures,
  findTireSize,
  formatMeasure,
  isByWeight,
  type Measured,
  toDecimal,
  type Unit,
} from "@partline/parts-language";
import { findMeasure, SAYS } from "@partline/parts-language/words";
import type { Evidence } from "./evidence.ts";
import { formatDollars, type Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { toComparable } from "./parts.ts";
import { isForSale, type FoundPart } from "./port.ts";
import { sum } from "@partline/toolkit/pure";
import { countPlaces, isOfPrices } from "./sums.ts";
import { renderText } from "./texts.ts";

/** Torques are said in the other unit too; what a question asks to convert, in the unit that it names. */
const OTHER_UNITS: Partial<Record<Unit, Unit>> = { "in-lb": "Nm", "ft-lb": "Nm", Nm: "ft-lb" };

/** Renders which of two is more, if the question asks that: by price, by what a manual says, or by size. */
export function renderComparison(evidence: Evidence, facts: Facts): string | undefined {
  const { question, findings, texts } = evidence;
  const { comparison, text } = question;
  const [firstNumber, secondNumber, ...further] = findings.every(({ item }) => item.mentions.length > 0)
    ? findings.flatMap(({ parts }) => parts)
    : [];
  if (firstNumber && secondNumber && further.length === 0 && comparison === "cheaper" && /\bthan\b/i.test(text)) {
    const [firstFact, secondFact] = [firstNumber, secondNumber].map((part) => facts.addPart(part));
    const [price, otherPrice] = [firstFact?.offer.price ?? null, secondFact?.offer.price ?? null];
    if (!firstFact || !secondFact || price === null || otherPrice === null) return undefined;
    const name = price < otherPrice ? "yes it is cheaper" : "no it is not cheaper";
    const slots = { price: facts.addValue(formatDollars(price)), other: facts.addValue(formatDollars(otherPrice)) };
    return renderText(texts, name, { part: `{${firstFact.id}.number}`, than: `{${secondFact.id}.number}`, ...slots });
  }
  const numberedFinding = findings.find(({ item }) => item.mentions.length > 0 && item.terms.length === 0);
  const namedFinding = findings.find(({ item }) => item.mentions.length === 0 && item.terms.length > 0);
  const [base] = numberedFinding?.parts ?? [];
  if (base && namedFinding && comparison === "cheaper") {
    const { id, offer } = facts.addPart(base);
    if (offer.price === null) return undefined;
    const price = offer.price;
    const slots = { part: `{${id}.number}`, price: facts.addValue(formatDollars(price)) };
    const cheaper = namedFinding.parts.filter((part) => {
      const candidate = facts.addPart(part).offer;
      return part.pnNorm !== base.pnNorm && isForSale(candidate) && candidate.price !== null && candidate.price < price;
    });
    if (cheaper.length === 0) return renderText(texts, "no cheaper", slots);
    return `${renderText(texts, "yes cheaper", slots)} ${facts.list(cheaper.map((part) => `{${facts.addPart(part).id}.number}`))}.`;
  }
  if (comparison === undefined || comparison === "cheaper") return undefined;
  const readSide = COMPARES_COUNTS.test(text) ? countAnswer : findAnswerMeasure;
  const sides = COMPARES_WEIGHTS.test(text)
    ? findings.flatMap(({ parts }) => parts.flatMap((part) => weigh(part, facts)))
    : findings.flatMap((finding) => {
        const measure = readSide(finding);
        const [model = finding.parts[0]?.partNumber] = finding.item.models;
        return measure && model !== undefined ? [{ ...measure, model }] : [];
      });
  const [first, second] = sides;
  const difference = first && second ? compareMeasures(first, second) : undefined;
  if (!first || !second || difference === undefined) return undefined;
  const slots = {
    first: facts.addValue(first.text),
    second: facts.addValue(second.text),
    one: facts.addMachine(first.model),
    two: facts.addMachine(second.model),
  };
  if (difference === 0) return renderText(texts, "both same", slots);
  return renderText(texts, (comparison === "more") === difference > 0 ? "yes more" : "no more", slots);
}

const COMPARES_WEIGHTS = /\b(?:lighter|heavier)\b/i;

function weigh(part: FoundPart, facts: Facts): (Measured & { model: string })[] {
  const grams = facts.addPart(part).offer.weight;
  if (grams === undefined) return [];
  const value = grams / 1000;
  return [{ value, unit: "kg", text: formatMeasure(value, "kg"), from: 0, model: part.partNumber }];
}

/** `More oil seals than valve tappets`, and not `more expensive than`. */
const COMPARES_COUNTS = /\b(?:more|fewer) (?!than\b|expensive\b|powerful\b)[a-z-]+\b.*\bthan\b/i;

/** Counts the parts that a finding answers with, in all of their places. */
function countAnswer({ item, parts, total }: Finding): Measured | undefined {
  const counts = countPlaces({ item, parts, total });
  const numbers = parts.map(({ partNumber }) => partNumber).join(" + ");
  return counts?.length
    ? { value: sum(counts), unit: "piece", from: 0, text: `${sum(counts)} × ${numbers}` }
    : undefined;
}

/** Finds the value that a finding answers with: of a manual's line, else of a part's name. */
function findAnswerMeasure({ quotes, parts }: Finding): Measured | undefined {
  const line = quotes[0]?.line ?? (parts[0] && toComparable(parts[0]).name) ?? "";
  return findMeasures(line).at(-1);
}

/** Renders values of lines and names in another unit. */
export function renderConversions({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  const sentences = findings.flatMap(({ quotes, parts }) => {
    const lines =
      quotes.length > 0 ? quotes.map(({ line }) => line) : question.unit ? parts.slice(0, 3).map(getTitle) : [];
    return lines.flatMap((line) => {
      const measures = findMeasures(line);
      return measures.flatMap((measure) => {
        const unit = question.unit ?? OTHER_UNITS[measure.unit];
        const value = unit && unit !== measure.unit ? convert(measure, unit) : undefined;
        if (unit === undefined || value === undefined) return [];
        // The line says it in that unit itself.
        if (measures.some((candidate) => candidate.unit === unit)) return [];
        const into = facts.addValue(formatMeasure(value, unit));
        return [
          renderText(texts, "converted", { from: facts.addValue(formatMeasure(measure.value, measure.unit)), into }),
        ];
      });
    });
  });
  return sentences.length === 0 ? undefined : [...new Set(sentences)].slice(0, 4).join(" ");
}

const GRAMS_OF_POUND = 453.592;

const isWeightAsked = ({ text }: Evidence["question"]): boolean => findMeasure(text)?.name === "weight";

/** Returns whether a question is answered by what parts weigh. */
export const isOfWeight = (question: Evidence["question"]): boolean =>
  isWeightAsked(question) || isByWeight(question.order) || COMPARES_WEIGHTS.test(question.text);

/** Renders what parts weigh, each and as many as are named, if the question asks that. */
export function renderWeights({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  if (!isOfWeight(question)) return undefined;
  const sentences = findings.flatMap(({ item: { count = 1 }, parts }) =>
    parts.slice(0, 3).flatMap((part) => {
      const { id, offer } = facts.addPart(part);
      const { weight: grams } = offer;
      if (grams === undefined) return [];
      const format = (pieces: number): string => {
        const [kg, lb] = [(pieces * grams) / 1000, (pieces * grams) / GRAMS_OF_POUND];
        return facts.addValue(`${formatMeasure(kg, "kg")} (${formatMeasure(lb, "lb")})`);
      };
      const sentence = renderText(texts, "weighs", { number: `{${id}.number}`, weight: format(1) });
      if (count === 1) return [sentence];
      return [sentence, renderText(texts, "several weigh", { count: facts.addValue(count), weight: format(count) })];
    }),
  );
  if (sentences.length > 0) return sentences.join(" ");
  const isUnknown = isWeightAsked(question) && findings.some(({ parts }) => parts.length > 0);
  return isUnknown ? texts["weight unknown"] : undefined;
}

const ASKS_SIZE = /\b(?:means?|stands? for|what (?:size|rim)|rim size|how (?:wide|tall|high|big))\b/i;

/** Renders what a tire's size says, if the question asks that. */
export function renderTireSize({ question: { text }, texts }: Evidence, facts: Facts): string | undefined {
  const tire = ASKS_SIZE.test(text) ? findTireSize(text)?.size : undefined;
  if (tire?.diameter === undefined) return undefined;
  const slots = { name: tire.size, high: `${tire.diameter}`, wide: `${tire.width}`, rim: `${tire.rim}` };
  return facts.addValue(renderText(texts, "tire size", slots));
}

function getTitle({ catalog, description }: Finding["parts"][number]): string {
  return catalog?.title ?? description;
}

/** Renders how many are here, or whether so many are, if that is asked; and that fewer are, before they are priced. */
export function renderCount({ question: { text }, findings, texts }: Evidence, facts: Facts): string | undefined {
  const isHowMany = SAYS["how many here"].test(text);
  const isYesNo = !isHowMany && SAYS["are they here"].test(text);
  const deny = (denial: string): string =>
    isYesNo ? renderText(texts, "no", { denial }) : denial.charAt(0).toUpperCase() + denial.slice(1);
  const isOfAny = isHowMany || (isYesNo && /\bany\b/i.test(text));
  const counted = findings.filter(({ item, parts }) => parts.length === 1 && (isOfAny || item.count !== undefined));
  // Of several, each that is short is named.
  const isOne = counted.length === 1;
  const sentences = counted.flatMap((finding) => {
    const [part] = finding.parts;
    if (!part || !(isYesNo || isHowMany || (isOfPrices(finding) && finding.quotes.length === 0))) return [];
    const { id, offer } = facts.addPart(part);
    const denyOne = (denial: string): string => (isOne ? deny(denial) : `{${id}.number}: ${denial}`);
    const { stock, availability } = offer;
    if (availability === "out_of_stock") return [denyOne(texts["none here"])];
    if (stock === null) return [];
    const slots = { stock: facts.addValue(stock) };
    if (!isHowMany && stock < (finding.item.count ?? 1)) return [denyOne(renderText(texts, "only some here", slots))];
    if (!isOne || !(isHowMany || isYesNo)) return [];
    return [renderText(texts, isHowMany ? "so many here" : "yes we have", slots)];
  });
  return sentences.length === 0 ? undefined : sentences.join("\n");
}

/** Renders that none of the parts has the price, or the stock, that was asked for. */
export function renderUnmet({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  const unmet = findings.find((finding) => finding.unmet !== undefined)?.unmet;
  if (unmet === undefined) return undefined;
  const { price, stock } = question.constraints;
  if (price === undefined) return renderText(texts, stock === "out" ? "none out of stock" : "none in stock", {});
  const format = (cents: number): string => facts.addValue(formatDollars(toDecimal(cents)));
  const { minPrice, maxPrice } = price;
  const bound =
    minPrice !== undefined && maxPrice !== undefined
      ? renderText(texts, "between", { low: format(minPrice), high: format(maxPrice) })
      : maxPrice !== undefined
        ? renderText(texts, "under", { price: format(maxPrice) })
        : renderText(texts, "over", { price: format(minPrice ?? 0) });
  return renderText(texts, "none at that price", { count: facts.addValue(unmet), none: texts["none of them"], bound });
}
