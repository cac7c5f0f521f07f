import { toCents } from "@partline/parts-language";
import type { Evidence } from "./compose.ts";
import { dollars, listed, placesOf, type Facts } from "./facts.ts";
import { relevanceOf } from "./names.ts";
import { MOST_ROWS } from "./parts.ts";
import { isForSale, keyOf } from "./port.ts";
import type { Finding } from "./retrieval.ts";
import { SAYS } from "./vocabulary.ts";

/**
 * How many there are in each place of each part; undefined if not every place says so, or more than one manual is of
 * the equipment, which would count the same twice. If a diagram is asked for, its places alone.
 */
function countsOf({ item, parts, total }: Pick<Finding, "item" | "parts" | "total">): number[] | undefined {
  const isOfModels = ({ equipment }: { equipment: string }): boolean => item.models.includes(equipment);
  const mayHaveMore = parts.some(({ rows }) => rows.length >= MOST_ROWS && rows.every(isOfModels));
  if (item.models.length === 0 || total > parts.length || mayHaveMore) return undefined;
  const places = parts.flatMap(({ rows, description }) => {
    const weighed = rows
      .filter((row) => isOfModels(row) && (row.schema !== "" || row.quantity !== undefined))
      .map((row) => ({ row, ...relevanceOf(item, { description, schema: row.schema }) }));
    const most = Math.max(...weighed.map(({ coverage }) => coverage));
    return placesOf(weighed.flatMap(({ row, coverage }) => (coverage === most ? [row] : [])));
  });
  const counts = places.flatMap(({ quantity }) => quantity ?? []);
  const manuals = new Set(places.map(({ sha256 }) => sha256));
  return manuals.size === 1 && counts.length === places.length ? counts : undefined;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

export function totalSaid(finding: Finding, shown: number, facts: Facts): string | undefined {
  const isAll = finding.item.wanted === "quantity" && shown === finding.parts.length;
  const counts = isAll ? countsOf(finding) : undefined;
  if (counts === undefined || counts.length < 2) return undefined;
  const kinds = shown > 1 ? `, of ${facts.value(shown)} different parts` : "";
  return `In all the places that are listed: ${facts.value(`${counts.join(" + ")} = ${sumOf(counts)}`)}${kinds}.`;
}

/** What all of it costs, if that is asked for and known of each part; else what several of a part cost. */
export function costSaid({ question, findings }: Evidence, facts: Facts): string | undefined {
  const isTotal = question.asksForTotal && question.items.length > 1;
  const isCounted = findings.some(({ item }) => item.count !== undefined);
  const costs = findings.filter(isOfPrices).flatMap(({ item, parts }) => {
    // Of several that match it is not said which is meant.
    const isOpen = parts.length > 1 && (item.mentions.length === 0 || (isTotal && item.count !== undefined));
    if (parts.length === 0 || isOpen) return [undefined];
    return parts.map((part) => {
      const { id, offer } = facts.part(part);
      const isOne = (isCounted && !item.isPlural) || !question.asksForTotal;
      const listedCounts = isOne ? [1] : countsOf({ item, parts: [part], total: 1 });
      const count = item.count ?? (listedCounts && sumOf(listedCounts));
      if (offer.price === null || count === undefined) return undefined;
      return { id, count, times: `${count} x ${dollars(offer.price)}`, cents: count * toCents(offer.price) };
    });
  });
  const known = costs.filter((cost) => cost !== undefined);
  if (costs.length === 0) return undefined;
  if (isTotal && known.length < costs.length)
    return "What it costs in all is not known: not of every part it is known which one, how many and at what price.";
  const sums = known.map(({ times }) => times).join(" + ");
  if (isTotal) return `In all: ${facts.value(`${sums} = ${dollars(sumOf(known.map(({ cents }) => cents)) / 100)}`)}.`;
  return known
    .filter(({ count }) => count > 1)
    .map(({ id, count, times, cents }) => {
      return `${facts.value(count)} of {${id}.number}: ${facts.value(`${times} = ${dollars(cents / 100)}`)}.`;
    })
    .join(" ");
}

function isOfPrices({ item: { wanted } }: Finding): boolean {
  return wanted === "offer" || wanted === "part";
}

/** Which of the parts is the cheapest, if several are compared. */
export function pickSaid({ question, findings, parts }: Evidence, facts: Facts): string | undefined {
  if (!SAYS.cheapest.test(question.text)) return undefined;
  const own = findings.filter(({ item }) => item.isPicked);
  const compared = own.length > 0 ? own : findings.filter(isOfPrices);
  const asked = new Set(compared.flatMap((finding) => [...finding.parts, ...finding.successors].map(keyOf)));
  const offered = parts.filter((part) => asked.has(keyOf(part))).map((part) => facts.part(part));
  if (offered.length < 2) return undefined;
  const known = offered.filter(({ offer }) => isForSale(offer));
  if (known.length === 0)
    return "Which of these is the cheapest is not known: none of them is for sale at a known price.";
  const least = Math.min(...known.map(({ offer }) => offer.price!));
  const cheapest = known.filter(({ offer }) => offer.price === least).map(({ id }) => `{${id}.number}`);
  const others = known.length === offered.length ? "of these" : "of those that are for sale at a known price";
  const each = cheapest.length > 1 ? " each" : "";
  return `The cheapest ${others}: ${listed(cheapest)}, ${facts.value(dollars(least))}${each}.`;
}
