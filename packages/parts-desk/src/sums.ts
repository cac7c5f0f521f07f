import { scoreRelevance } from "@partline/parts-search";
import { SAYS } from "@partline/parts-language/words";
import { toCents, toDecimal } from "@partline/parts-language";
import { sum } from "@partline/toolkit/pure";
import type { Evidence } from "./evidence.ts";
import { formatDollars, groupPlaces, type Facts } from "./facts.ts";
import { renderText } from "./texts.ts";
import { MOST_ROWS } from "./parts.ts";
import { isForSale, toPartKey } from "./port.ts";
import type { Finding } from "./finding.ts";

/**
 * Counts a part in each of its places; undefined if not every place says so, or more than one manual is of
 * the equipment, which would count the same twice. If a diagram is asked for, its places alone.
 */
export function countPlaces({ item, parts, total }: Pick<Finding, "item" | "parts" | "total">): number[] | undefined {
  const isOfModels = ({ equipment }: { equipment: string }): boolean => item.models.includes(equipment);
  const mayHaveMore = parts.some(({ rows }) => rows.length >= MOST_ROWS && rows.every(isOfModels));
  if (item.models.length === 0 || total > parts.length || mayHaveMore) return undefined;
  const places = parts.flatMap(({ rows, description }) => {
    const weighed = rows
      .filter((row) => isOfModels(row) && (row.schema !== "" || row.quantity !== undefined))
      .map((row) => ({ row, ...scoreRelevance(item, { description, schema: row.schema }) }));
    const most = Math.max(...weighed.map(({ coverage }) => coverage));
    return groupPlaces(weighed.flatMap(({ row, coverage }) => (coverage === most ? [row] : [])));
  });
  const counts = places.flatMap(({ quantity }) => quantity ?? []);
  const manuals = new Set(places.map(({ sha256 }) => sha256));
  return manuals.size === 1 && counts.length === places.length ? counts : undefined;
}

export function renderTotal(
  finding: Finding,
  shownCount: number,
  { texts }: Evidence,
  facts: Facts,
): string | undefined {
  const isAll = finding.item.wanted === "quantity" && shownCount === finding.parts.length;
  const counts = isAll ? countPlaces(finding) : undefined;
  if (counts === undefined || counts.length < 2) return undefined;
  const total = facts.addValue(`${counts.join(" + ")} = ${sum(counts)}`);
  return renderText(texts, shownCount > 1 ? "total of several" : "total of places", {
    sum: total,
    count: facts.addValue(shownCount),
  });
}

/** Lists what each part costs, as often as it is asked for; undefined for what is not known. */
function listCosts({ question, findings }: Evidence, facts: Facts) {
  const isTotal = question.asksForTotal && question.items.length > 1;
  const isCounted = findings.some(({ item }) => item.count !== undefined);
  return findings.filter(isOfPrices).flatMap(({ item, parts }) => {
    // Of several that match it is not said which is meant.
    const isOpen = parts.length > 1 && (item.mentions.length === 0 || (isTotal && item.count !== undefined));
    if (parts.length === 0 || isOpen) return [undefined];
    return parts.map((part) => {
      const { id, offer } = facts.addPart(part);
      const isOne = (isCounted && !item.isPlural) || !question.asksForTotal;
      const listedCounts = isOne ? [1] : countPlaces({ item, parts: [part], total: 1 });
      const count = item.count ?? (listedCounts && sum(listedCounts));
      if (offer.price === null || count === undefined) return undefined;
      return { id, count, times: `${count} x ${formatDollars(offer.price)}`, cents: count * toCents(offer.price) };
    });
  });
}

/** Renders what all of it costs, if that is asked for and known of each part; else what several of a part cost. */
export function renderCost(evidence: Evidence, facts: Facts): string | undefined {
  const { question, texts } = evidence;
  const isTotal = question.asksForTotal && question.items.length > 1;
  const costs = listCosts(evidence, facts);
  const knownCosts = costs.filter((cost) => cost !== undefined);
  if (costs.length === 0) return undefined;
  if (isTotal && knownCosts.length < costs.length) return texts["no total"];
  const sums = knownCosts.map(({ times }) => times).join(" + ");
  if (isTotal)
    return renderText(texts, "in all", { sum: facts.addValue(`${sums} = ${formatCents(sumCents(knownCosts))}`) });
  return knownCosts
    .filter(({ count }) => count > 1)
    .map(({ id, count, times, cents }) => {
      const cost = facts.addValue(`${times} = ${formatCents(cents)}`);
      return renderText(texts, "cost of several", { count: facts.addValue(count), number: `{${id}.number}`, cost });
    })
    .join(" ");
}

const sumCents = (costs: readonly { cents: number }[]): number => sum(costs.map(({ cents }) => cents));
const formatCents = (cents: number): string => formatDollars(toDecimal(cents));

/** Renders whether an amount is enough for all of it, if that is asked. */
export function renderBudget(evidence: Evidence, facts: Facts): string | undefined {
  const { question, texts } = evidence;
  const { maxPrice } = question.constraints.price ?? {};
  if (maxPrice === undefined || !question.isBudget) return undefined;
  const costs = listCosts(evidence, facts);
  const knownCosts = costs.filter((cost) => cost !== undefined);
  if (costs.length === 0 || knownCosts.length < costs.length) return undefined;
  const cents = sumCents(knownCosts);
  const slots = { sum: facts.addValue(formatCents(cents)), price: facts.addValue(formatCents(maxPrice)) };
  return renderText(texts, cents <= maxPrice ? "enough" : "not enough", slots);
}

export function isOfPrices({ item: { wanted: intent } }: Finding): boolean {
  return intent === "offer" || intent === "part";
}

const ASKS_DIFFERENCE = /\bhow much\b|\bdifference\b/i;

/** Renders which of the parts is the cheapest, or the dearest, if several are compared; and of two by how much. */
export function renderPick({ question, findings, parts, texts }: Evidence, facts: Facts): string | undefined {
  const order = SAYS.cheapest.test(question.text) ? "cheapest" : question.order;
  if (order !== "cheapest" && order !== "dearest") return undefined;
  const pickedFindings = findings.filter(({ item }) => item.isPicked);
  const compared = pickedFindings.length > 0 ? pickedFindings : findings.filter(isOfPrices);
  const comparedKeys = new Set(compared.flatMap((finding) => [...finding.parts, ...finding.successors].map(toPartKey)));
  const offered = parts.filter((part) => comparedKeys.has(toPartKey(part))).map((part) => facts.addPart(part));
  if (offered.length < 2) return undefined;
  const pricedParts = offered.filter(({ offer }) => isForSale(offer));
  if (pricedParts.length === 0) return texts["no cheapest"];
  const prices = pricedParts.map(({ offer }) => offer.price!).sort((a, b) => (order === "cheapest" ? a - b : b - a));
  const [price = 0, otherPrice = 0] = prices;
  const picked = pricedParts.filter(({ offer }) => offer.price === price).map(({ id }) => `{${id}.number}`);
  const scope = pricedParts.length === offered.length ? order : (`${order} for sale` as const);
  const difference = facts.addValue(formatDollars(Math.abs(toDecimal(toCents(price) - toCents(otherPrice)))));
  return [
    renderText(texts, scope, { parts: facts.list(picked), price: facts.addValue(formatDollars(price)) }),
    ...(prices.length === 2 && ASKS_DIFFERENCE.test(question.text)
      ? [renderText(texts, "difference", { difference })]
      : []),
  ].join(" ");
}
