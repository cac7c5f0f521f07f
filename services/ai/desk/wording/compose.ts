import { toCents } from "../../../../mixins/money.ts";
import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import type { ManualLinks } from "../../../shared/manual-links.ts";
import { cutSaid } from "./cut-list.ts";
import type { Evidence } from "../finding/evidence.ts";
import type { FoundPart, Offer } from "../facts.ts";
import { keyOf } from "../finding/finding.ts";
import { ENGLISH_ALONE, isOtherLanguage } from "../understanding/language.ts";
import { dollars, listed, nameOf, offerOf, placeOf } from "./phrases.ts";
import { equipmentName, isInstruction, quotable } from "./quotable.ts";
import { picksSaid } from "./picks-said.ts";
import { quotesSaid, untoldSaid } from "./quotes-said.ts";
import type { Finding } from "../finding/retrieval.ts";
import { costsOf, placesOf, sumOf, totalOf } from "../finding/totals.ts";
import { unknownMachinesSaid } from "./unknown-machines-said.ts";
import { nearSaid, unknownNumbersSaid } from "../finding/unknown-numbers.ts";

/** Places of a part that an answer names. */
const MOST_PLACES = 3;
const MOST_EQUIPMENT = 8;
/** Words of a question that are quoted. */
const MOST_QUOTED = 4;

export const OFF_TOPIC =
  "I answer questions about parts: which part fits an equipment, how many it has, on which page of its manual, what replaces it, its price and stock. " +
  "Nothing in the manuals or in the catalog answers this one.";
const UNCLEAR =
  "What that refers to is not known here: nothing was answered before under this X-Session-Id that it could be. Name the part or the equipment.";
const SUPPLIER_FAILED = "The supplier did not answer just now: price and stock are the catalog's last known values.";
const NOBODY_ASKED = "Price and stock could not be asked for just now.";
const CATALOG_FAILED = "The catalog could not be searched just now: this is from the manuals alone.";
const PASSAGES_FAILED = "The text of the manuals could not be searched just now: their parts lists alone were.";
const REPLACEMENT_UNKNOWN = "Whether something replaces it could not be looked up just now.";

/**
 * The answer in words, from facts alone: it names no number, price or page that is not among them. The same facts give
 * the same words.
 */
export function composeAnswer(evidence: Evidence, links: Pick<ManualLinks, "pdf">): string {
  const { findings, question } = evidence;
  if (
    findings.every(
      ({ parts, quotes, unknownNumbers: unknown }) => parts.length + quotes.length + unknown.length === 0,
    ) &&
    isOtherLanguage(question.text)
  )
    return ENGLISH_ALONE;
  if (findings.length === 0) return question.isUnclear ? UNCLEAR : OFF_TOPIC;
  const shown = new Set(evidence.parts.map(keyOf));
  const telling = findings.filter(isTelling);
  const paragraphs = (telling.length > 0 ? telling : findings).map((finding) =>
    [
      ...quotesSaid(finding.quotes, links),
      ...untoldSaid(finding, !evidence.failed.has("passages")),
      paragraphOf(finding, shown, evidence),
    ]
      .filter((text) => text !== "")
      .join("\n"),
  );
  return [
    ...new Set([
      ...unknownMachinesSaid(findings),
      ...paragraphs,
      ...costSaid(telling, evidence),
      ...picksSaid(evidence),
    ]),
    ...(question.isUnclear ? [UNCLEAR] : []),
  ].join("\n\n");
}

/** What an answer about these parts had to do without, in words: whoever words the answer, it says so. */
export function notesOf(
  { failed, offerOf: offer }: Pick<Evidence, "failed" | "offerOf">,
  parts: readonly FoundPart[],
): string[] {
  const unanswered = parts.map(offer).filter((each) => each.supplierFailed);
  return [
    ...(failed.has("catalog") ? [CATALOG_FAILED] : []),
    ...(failed.has("passages") ? [PASSAGES_FAILED] : []),
    ...(unanswered.some(({ id }) => id === null) ? [NOBODY_ASKED] : []),
    ...(unanswered.some(({ id }) => id !== null) ? [SUPPLIER_FAILED] : []),
  ];
}

/** What asks for something. */
const ASKS =
  /\b(?:what|which|how|where|who|when|is|are|do|does|can|could|need|want|look|looking|price|cost|find|number|order)\b|^(?:the|an?|some|one)\s/i;

/** Beside what was found, a greeting or a remark that found nothing is not answered. */
function isTelling({ parts, quotes, ask, unknownNumbers: unknown, isOneOfSeveral = false }: Finding): boolean {
  return (
    isOneOfSeveral ||
    parts.length > 0 ||
    quotes.length > 0 ||
    unknown.length > 0 ||
    (ASKS.test(ask.text) && !isInstruction(ask.text))
  );
}

function paragraphOf(finding: Finding, shown: ReadonlySet<string>, { offerOf: offer, failed }: Evidence): string {
  const { ask, successors } = finding;
  const parts = finding.parts.filter((part) => shown.has(keyOf(part)));
  const isCatalogKnown = !failed.has("catalog");
  const unknown = unknownNumbers(finding, isCatalogKnown);
  if (parts.length === 0 && finding.quotes.length > 0) return unknown.join(" ");
  if (parts.length === 0)
    return [...unknown, nothingFor(finding, isCatalogKnown)].filter((sentence) => sentence !== "").join(" ");
  const lines = parts.map((part) => lineOf(part, finding, offer(part)));
  const news = parts.flatMap((part) => replacementsOf(part, successors, shown, offer));
  const lead = leadOf(finding, parts.length);
  const body =
    lines.length === 1 ? `${lead}${lines[0]!}` : `${lead.trimEnd()}\n${lines.map((line) => `- ${line}`).join("\n")}`;
  const several =
    (ask.wanted === "offer" || ask.wanted === "part") && ask.count !== undefined
      ? parts.flatMap((part) => priceOfSeveral(part, ask.count!, offer(part)))
      : [];
  const total = ask.wanted === "quantity" || (ask.isTotal && ask.wanted !== "offer") ? totalSaid(finding, parts) : [];
  const none =
    ask.wanted === "replacement" && news.length === 0
      ? [
          finding.isReplacementUnknown
            ? REPLACEMENT_UNKNOWN
            : isCatalogKnown
              ? "Neither a manual nor the catalog names a replacement."
              : "No manual names a replacement.",
        ]
      : [];
  const delivery = /\bdeliver|\bship|\blead time/i.test(ask.text) ? ["When it can be delivered is not known."] : [];
  return [
    body,
    ...cutSaid(finding, parts.length),
    ...several,
    ...total,
    ...news,
    ...none,
    ...delivery,
    ...unknown,
  ].join(lines.length === 1 ? " " : "\n");
}

function leadOf({ ask, parts }: Finding, count: number): string {
  const models = modelsOf(ask);
  if (models.length > 0 && parts.some(({ rows }) => rows.some(({ equipment }) => models.includes(equipment))))
    return `For the ${listed(models.map(equipmentName))}: `;
  return count > 1 ? "These parts match: " : "";
}

function modelsOf({ models }: Finding["ask"]): string[] {
  return [...new Set(models.map(({ equipment }) => equipment))];
}

/** What of a part is asked for comes first. */
function lineOf(part: FoundPart, { ask, besides = [] }: Finding, offer: Offer): string {
  const name = nameOf(part);
  const models = modelsOf(ask);
  const own = placesOf(part.rows.filter(({ equipment }) => models.includes(equipment)));
  if (models.length > 0 && own.length === 0) return `${name}: ${notListed(part, models)}; ${offerOf(offer)}.`;
  const [first, ...others] = models.length > 0 ? own : placesOf(part.rows);
  const where =
    first === undefined
      ? "no manual that was read lists it"
      : `${placeOf(first)}${models.length === 0 ? ` of the ${listed(first.equipment.map(equipmentName))} manual` : ""}`;
  const places = others
    .slice(0, MOST_PLACES)
    .map((row) => `${placeOf(row)}${models.length === 1 ? "" : ` (${listed(row.equipment.map(equipmentName))})`}`);
  const also = others.length === 0 || ask.wanted === "offer" ? "" : ` Also: ${places.join("; ")}.`;
  const lacking = besides
    .filter(({ pnNorms }) => !pnNorms.has(part.pnNorm))
    .map(({ equipment }) => equipmentName(equipment));
  const fit = lacking.length === 0 ? "" : ` It is not listed for the ${listed(lacking)}.`;
  switch (ask.wanted) {
    case "quantity":
      if (first === undefined) return `${name}: how many there are is in no manual that was read; ${offerOf(offer)}.`;
      return first.quantity === undefined
        ? `${name}: the manual does not say how many; ${where}; ${offerOf(offer)}.${also}${fit}`
        : `${first.quantity} of ${name}: ${where.replace(/^quantity \d+, /, "")}; ${offerOf(offer)}.${also}${fit}`;
    case "offer":
      return `${name}: ${offerOf(offer)}; ${where}.${fit}`;
    case "fitment":
      return models.length > 0 ? `${name}: ${where}; ${offerOf(offer)}.${also}${fit}` : fitmentOf(part, name, offer);
    case "part":
    case "page":
    case "replacement":
      return `${name}: ${where}; ${offerOf(offer)}.${also}${fit}`;
  }
}

/** Another machine's part is told to be that. */
function notListed({ rows }: FoundPart, models: readonly string[]): string {
  const places = placesOf(rows)
    .slice(0, MOST_PLACES)
    .map((row) => `the ${listed(row.equipment.slice(0, MOST_EQUIPMENT).map(equipmentName))} (${placeOf(row)})`);
  return `not listed for the ${listed(models.map(equipmentName))}; ${places.length === 0 ? "no manual that was read lists it" : `listed for ${listed(places)}`}`;
}

/** What all of it costs, where that is asked for. */
function costSaid(findings: readonly Finding[], { offerOf: offer }: Evidence): string[] {
  if (!findings.some(({ ask }) => ask.wanted === "offer" && ask.isTotal)) return [];
  const asked = findings.filter(({ ask }) => ask.wanted === "offer" || ask.wanted === "part");
  const costs = asked.map((finding) => costsOf(finding, offer));
  const lacking = costs.find((cost) => typeof cost === "string");
  if (lacking !== undefined) return [`What it costs in all cannot be told: ${lacking}.`];
  const known = costs.flatMap((cost) => (typeof cost === "string" ? [] : cost));
  return [
    `In all: ${known.map(({ count, cents }) => `${count} x ${dollars(cents / 100)}`).join(" + ")} = ${dollars(sumOf(known.map(({ count, cents }) => count * cents)) / 100)}.`,
  ];
}

function priceOfSeveral({ partNumber }: FoundPart, count: number, { price }: Offer): string[] {
  if (count === 1) return [];
  return [
    price === null
      ? `What ${count} of ${partNumber} cost is not known.`
      : `${count} of ${partNumber}: ${count} x ${dollars(price)} = ${dollars((count * toCents(price)) / 100)}.`,
  ];
}

/** How many there are of all that was found, where more than one place says how many. */
function totalSaid(finding: Finding, parts: readonly FoundPart[]): string[] {
  const counts = parts.length === finding.parts.length ? totalOf(finding) : undefined;
  if (counts === undefined || counts.length < 2) return [];
  const kinds = parts.length > 1 ? `, of ${parts.length} different parts` : "";
  return [`In all the places that are listed: ${counts.join(" + ")} = ${sumOf(counts)}${kinds}.`];
}

function fitmentOf(part: FoundPart, name: string, offer: Offer): string {
  const byEquipment = [...Map.groupBy(part.rows, ({ equipment }) => equipment)];
  if (byEquipment.length === 0)
    return `${name}: no manual that was read lists it, so what it fits is not known; ${offerOf(offer)}.`;
  const fits = byEquipment
    .slice(0, MOST_EQUIPMENT)
    .map(([equipment, rows]) => `${equipmentName(equipment)} (${placeOf(rows[0]!)})`);
  const more = byEquipment.length > MOST_EQUIPMENT ? " and others" : "";
  return `${name} fits ${listed(fits)}${more}; ${offerOf(offer)}.`;
}

function replacementsOf(
  part: FoundPart,
  successors: readonly FoundPart[],
  shown: ReadonlySet<string>,
  offer: (part: FoundPart) => Offer,
): string[] {
  if (part.replacedBy === undefined) return [];
  const pnNorm = normalizePartNumber(part.replacedBy);
  const successor = successors.find((candidate) => candidate.pnNorm === pnNorm);
  if (!successor || !shown.has(keyOf(successor))) return [];
  const on = successor.rows[0];
  const said = `${part.partNumber} is replaced by ${nameOf(successor)}: ${on === undefined ? "" : `page ${on.page}; `}${offerOf(offer(successor))}.`;
  return [
    said,
    ...replacementsOf(
      successor,
      successors.filter((candidate) => candidate !== successor),
      shown,
      offer,
    ),
  ];
}

function nothingFor(
  { ask, elsewhere, nearest, nearModels, isOneOfSeveral = false }: Finding,
  isCatalogKnown: boolean,
): string {
  const models = modelsOf(ask);
  const what = isOneOfSeveral ? quoted(ask.name) : "";
  if (models.length > 0) {
    const machines = listed(models.map(equipmentName));
    if (ask.place) return `The manuals of the ${machines} that were read list nothing at that place.`;
    const other =
      elsewhere.length === 0
        ? ""
        : ` One is listed for the ${listed(elsewhere.map(({ equipment }) => equipmentName(equipment)))}, which does not say that it fits.`;
    if (nearest.length === 0) return `The manuals of the ${machines} that were read list no such part${what}.${other}`;
    return `I did not understand all of it${what}, or the manuals of the ${machines} list no such part. Nearest: ${nearest.map(nearSaid).join("; ")}.${other}`;
  }
  if (ask.place && ask.strangers.length === 0)
    return "Each manual numbers its figures and items anew: name the equipment, too.";
  if (ask.strangers.length > 0 && (ask.place !== undefined || ask.terms.length > 0 || nearModels.length > 0)) {
    const known = nearModels.length === 0 ? "" : ` Did you mean the ${listed(nearModels.map(equipmentName))}?`;
    return `No manual of that equipment was read${isCatalogKnown ? ", and the catalog has no such part that names it" : ""}.${known}`;
  }
  if (ask.mentions.length > 0 && ask.terms.every((term) => /\d/.test(term))) return "";
  return `Nothing in the manuals ${isCatalogKnown ? "or in the catalog " : ""}answers this${what}.${nearest.length === 0 ? "" : ` Nearest: ${nearest.map(nearSaid).join("; ")}.`}`;
}

/** What one of several asks for, as it was typed: its words alone, never a number. */
function quoted(name: string): string {
  const words = quotable(
    name
      .split(" ")
      .filter((word) => !/\d/.test(word))
      .slice(0, MOST_QUOTED)
      .join(" "),
  )[0];
  return words === undefined ? "" : ` (“${words}”)`;
}

function unknownNumbers({ unknownNumbers: unknown, ask, parts }: Finding, isCatalogKnown: boolean): string[] {
  // What looks like a number is rather the name of an equipment where a part of it is asked for.
  const isEquipment = parts.length === 0 && ask.strangers.length > 0 && ask.terms.some((term) => !/\d/.test(term));
  return isEquipment ? [] : unknownNumbersSaid(unknown, ask, isCatalogKnown);
}
