import { toCents } from "../../../mixins/money.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { dollars, listed, placesOf, type Facts, type PartFact, type PartPlace } from "./facts.ts";
import type { NearPart } from "./find.ts";
import type { Searched } from "./guarded.ts";
import { isOtherScript } from "./languages.ts";
import { relevanceOf } from "./names.ts";
import { isForSale, keyOf, UNKNOWN_OFFER, type FoundPart, type Machine, type Offer } from "./port.ts";
import type { Question } from "./question.ts";
import type { Finding, UnknownNumber } from "./retrieval.ts";
import { isInstruction, titleOf } from "./safe-words.ts";
import { MOST_ROWS } from "./successors.ts";
import { ASKS, DELIVERY } from "./words.ts";

/** Everything that an answer is made of. */
export interface Evidence {
  question: Question;
  findings: readonly Finding[];
  /** Parts of the answer, the best of each item first; successors behind what they replace. */
  parts: readonly FoundPart[];
  offers: ReadonlyMap<string, Offer>;
  /** What could not be searched. */
  failed: ReadonlySet<Searched>;
  /** All equipment of the manuals, if the question asks for it. */
  machines?: readonly Machine[];
}

/** Parts that an answer has: all numbers of a question, with what some of them were replaced by. */
const MOST_ANSWERED = 24;
const MOST_PLACES = 3;
const MOST_EQUIPMENT = 8;
const MOST_LISTED_MACHINES = 20;
const MOST_QUOTED_WORDS = 4;

export const OFF_TOPIC =
  "I answer questions about parts: which part fits an equipment, how many it has, on which page of its manual, what replaces it, its price and stock. " +
  "Nothing in the manuals or in the catalog answers this one.";
const UNCLEAR =
  "What that refers to is not known here: nothing was answered before under this X-Session-Id that it could be. Name the part or the equipment.";
const OTHER_SCRIPT =
  "I read questions in English, German, Spanish and French, and numbers of parts and equipment in any language.";
const ORDERS =
  "I cannot change a cart or place, find or cancel an order: put parts into your cart in the store and check out there; your orders are in your account.";
const SUPPLIER_FAILED = "The supplier did not answer just now: price and stock are the catalog's last known values.";
const NOBODY_ASKED = "Price and stock could not be asked for just now.";
const CATALOG_FAILED = "The catalog could not be searched just now: this is from the manuals alone.";
const PASSAGES_FAILED = "The text of the manuals could not be searched just now: their parts lists alone were.";
const REPLACEMENT_UNKNOWN = "Whether something replaces it could not be looked up just now.";
const DELIVERY_UNKNOWN = "When it can be delivered is not known.";
const UNKNOWN_EQUIPMENT = "equipment was read: what fits it is not known.";

/** The parts of all findings in turns, so that a second item's best part is not behind all of the first's. */
export function partsOf(findings: readonly Finding[]): FoundPart[] {
  const queues = findings.map(({ parts, successors }) => [...parts.slice(0, 1), ...successors, ...parts.slice(1)]);
  const parts = new Map<string, FoundPart>();
  for (let rank = 0; rank < Math.max(0, ...queues.map(({ length }) => length)); rank += 1)
    for (const queue of queues) {
      const part = queue[rank];
      if (part && !parts.has(keyOf(part))) parts.set(keyOf(part), part);
    }
  return [...parts.values()].slice(0, MOST_ANSWERED);
}

/**
 * The answer, as paragraphs with placeholders: the same evidence gives the same words, and none of them has a number
 * that is not a fact.
 */
export function composeAnswer(evidence: Evidence, facts: Facts): string {
  const { findings, question } = evidence;
  const telling = findings.filter(
    (finding) => isTelling(finding) && (!question.asksForOrder || finding.parts.length > 0),
  );
  const paragraphs = (telling.length > 0 || question.asksForOrder ? telling : findings).map((finding) =>
    paragraphOf(finding, evidence, facts),
  );
  const said = [...leadsOf(evidence, facts), ...paragraphs, ...notesOf(evidence, facts)].filter((text) => text !== "");
  if (said.length > 0) return [...new Set(said)].join("\n\n");
  if (question.isUnclear) return UNCLEAR;
  return isOtherScript(question.text) ? OTHER_SCRIPT : OFF_TOPIC;
}

/** What is said first, by the server alone: what an answer cannot do, and what it is taken to be about. */
export function leadsOf({ question, findings, machines, failed }: Evidence, facts: Facts): string[] {
  const isFound = findings.some(({ parts, quotes }) => parts.length + quotes.length > 0);
  const strangers = !isFound
    ? []
    : findings.flatMap((finding) => finding.strangers).filter(({ isMachine, near }) => isMachine || near.length > 0);
  return [
    ...(question.asksForOrder ? [ORDERS] : []),
    ...(machines ? [knownMachines(machines, facts)] : []),
    ...guessSaid(question, facts),
    ...(strangers.length > 0
      ? [
          `No manual of ${question.models.length > 0 ? "the other" : "that"} ${UNKNOWN_EQUIPMENT}${didYouMean(strangers, facts)}`,
        ]
      : []),
    ...(question.isUnclear && findings.length > 0 ? [UNCLEAR] : []),
    ...(isOtherScript(question.text) && findings.every(({ parts }) => parts.length === 0) && failed.size === 0
      ? [OTHER_SCRIPT]
      : []),
  ];
}

/** What is said last, by the server alone: sums, which of several it is, and what was not understood or asked. */
export function notesOf(evidence: Evidence, facts: Facts): string[] {
  const { findings } = evidence;
  const isFound = findings.some(({ parts, quotes }) => parts.length + quotes.length > 0);
  const ignored = !isFound
    ? []
    : isInstruction(evidence.question.text)
      ? []
      : [...new Set(findings.flatMap((finding) => finding.ignored))];
  const words = quotedWords(ignored.join(" "));
  return [
    ...totalCostSaid(evidence, facts),
    ...pickSaid(evidence, facts),
    ...(words === undefined ? [] : [`Left aside, as nothing here is called so: “${words}”.`]),
  ];
}

/** What an answer about these parts had to do without. */
export function lacksOf(failed: ReadonlySet<Searched>, offers: readonly Offer[]): string[] {
  const unanswered = offers.filter(({ supplierFailed }) => supplierFailed);
  return [
    ...(failed.has("catalog") ? [CATALOG_FAILED] : []),
    ...(failed.has("passages") ? [PASSAGES_FAILED] : []),
    ...(unanswered.some(({ id }) => id === null) ? [NOBODY_ASKED] : []),
    ...(unanswered.some(({ id }) => id !== null) ? [SUPPLIER_FAILED] : []),
  ];
}

/** Beside what was found, a greeting or a remark that found nothing is not answered. */
function isTelling({ parts, quotes, item, unknownNumbers, isOneOfSeveral, isOfNothing, untold }: Finding): boolean {
  return (
    parts.length + quotes.length + unknownNumbers.length > 0 ||
    untold !== undefined ||
    (isOneOfSeveral && item.terms.length > 0 && !isOfNothing && !isInstruction(item.text)) ||
    (!isOfNothing && ASKS.test(item.text) && !isInstruction(item.text))
  );
}

function paragraphOf(finding: Finding, evidence: Evidence, facts: Facts): string {
  const { item, quotes, successors } = finding;
  const shown = new Set(evidence.parts.map(keyOf));
  const factOf = (part: FoundPart): PartFact => facts.part(part, evidence.offers.get(keyOf(part)) ?? UNKNOWN_OFFER);
  const parts = finding.parts.filter((part) => shown.has(keyOf(part))).map(factOf);
  const isCatalogKnown = !evidence.failed.has("catalog");
  const unknown = unknownNumbersSaid(finding, isCatalogKnown, facts);
  const text = [...quotesSaid(finding, facts), ...untoldSaid(finding, evidence, facts)].join("\n");
  if (parts.length === 0) {
    const nothing = quotes.length > 0 ? "" : nothingSaid(finding, isCatalogKnown, unknown.length > 0, facts);
    return [text, [...unknown, nothing].filter((sentence) => sentence !== "").join(" ")]
      .filter((each) => each !== "")
      .join("\n");
  }
  const lines = parts.map((fact) => lineOf(fact, finding, evidence, facts));
  const lead = item.symptom ? symptomLead(finding, facts) : leadOf(finding, facts);
  const body =
    lines.length === 1 && !item.symptom
      ? `${lead}${lines[0]!}`
      : `${lead.trimEnd()}\n${lines.map((line) => `- ${line}`).join("\n")}`;
  const news = parts.flatMap(({ part }) => replacementsOf(part, successors, shown, factOf, facts));
  const none =
    item.wanted === "replacement" && news.length === 0
      ? [
          finding.isReplacementUnknown
            ? REPLACEMENT_UNKNOWN
            : isCatalogKnown
              ? "Neither a manual nor the catalog names a replacement."
              : "No manual names a replacement.",
        ]
      : [];
  return [
    text,
    [
      body,
      ...cutSaid(finding, parts.length, facts),
      ...severalSaid(finding, parts, evidence, facts),
      ...totalSaid(finding, parts.length, facts),
      ...news,
      ...none,
      ...(DELIVERY.test(evidence.question.text) && !evidence.question.asksForOrder ? [DELIVERY_UNKNOWN] : []),
      ...unknown,
    ].join(lines.length === 1 ? " " : "\n"),
  ]
    .filter((each) => each !== "")
    .join("\n");
}

function modelsOf({ item }: Finding): string[] {
  return [...new Set(item.models.map(({ equipment }) => equipment))];
}

function machinesSaid(equipment: readonly string[], facts: Facts): string {
  return listed(equipment.map((each) => facts.machine(each)));
}

function leadOf(finding: Finding, facts: Facts): string {
  const models = modelsOf(finding);
  if (finding.parts.some(({ rows }) => rows.some(({ equipment }) => models.includes(equipment))))
    return `For the ${machinesSaid(models, facts)}: `;
  return finding.parts.length > 1 ? "These parts match: " : "";
}

function symptomLead(finding: Finding, facts: Facts): string {
  const models = modelsOf(finding);
  const of = models.length === 0 ? "" : ` of the ${machinesSaid(models, facts)}`;
  return finding.quotes.length > 0
    ? `Parts${of} that may be behind it:`
    : `The manuals${of} do not say what causes that. Parts that are looked at first:`;
}

/** One part: what of it is asked for comes first. */
function lineOf(fact: PartFact, finding: Finding, { findings }: Evidence, facts: Facts): string {
  const { id, places } = fact;
  const models = modelsOf(finding);
  const name = `{${id}}`;
  const own = places
    .map((place, at) => ({ place, at: at + 1 }))
    .filter(({ place }) => models.length === 0 || place.equipment.some((each) => models.includes(each)));
  if (models.length > 0 && own.length === 0)
    return `${name}: not listed for the ${machinesSaid(models, facts)}; ${elsewhereSaid(places, id, facts)}; {${id}.offer}.`;
  if (finding.item.wanted === "fitment" && models.length === 0) return fitmentOf(fact, facts);
  const [first, ...others] = own;
  const of = (place: PartPlace): string =>
    models.length > 0 ? "" : ` of the ${machinesSaid(place.equipment, facts)} manual`;
  const where =
    first === undefined
      ? "no manual that was read lists it"
      : `${placeholder(id, "place", first.at)}${of(first.place)}`;
  const more = others
    .slice(0, MOST_PLACES)
    .map(
      ({ place, at }) =>
        `${placeholder(id, "place", at)}${models.length === 1 ? "" : ` (${machinesSaid(place.equipment, facts)})`}`,
    );
  const also = more.length === 0 || finding.item.wanted === "offer" ? "" : ` Also: ${more.join("; ")}.`;
  const lacking = besidesOf(fact, finding, findings);
  const fit = lacking.length === 0 ? "" : ` It is not listed for the ${machinesSaid(lacking, facts)}.`;
  const isUnlisted = fact.offer.id === null && !fact.offer.supplierFailed;
  if (finding.item.wanted === "offer")
    return `${name}: {${id}.offer}${isUnlisted ? ", so its price and stock are not known" : ""}; ${where}.${fit}`;
  if (finding.item.wanted === "quantity" && first?.place.quantity === undefined)
    return first === undefined
      ? `${name}: how many there are is in no manual that was read; {${id}.offer}.`
      : `${name}: the manual does not say how many; ${where}; {${id}.offer}.${also}${fit}`;
  if (finding.item.wanted === "quantity") {
    const figure = first!.place.schema === "" ? "" : `${placeholder(id, "figure", first!.at)}, `;
    return `${placeholder(id, "quantity", first!.at)} of ${name}: ${figure}${placeholder(id, "page", first!.at)}${of(first!.place)}; {${id}.offer}.${also}${fit}`;
  }
  return `${name}: ${where}; {${id}.offer}.${also}${fit}`;
}

function placeholder(id: string, attribute: string, at: number): string {
  return at === 1 ? `{${id}.${attribute}}` : `{${id}.${attribute}.${at}}`;
}

/** Another machine's part is said to be that. */
function elsewhereSaid(places: readonly PartPlace[], id: string, facts: Facts): string {
  if (places.length === 0) return "no manual that was read lists it";
  const said = places
    .slice(0, MOST_PLACES)
    .map(
      (place, at) =>
        `the ${machinesSaid(place.equipment.slice(0, MOST_EQUIPMENT), facts)} (${placeholder(id, "place", at + 1)})`,
    );
  return `listed for ${listed(said)}`;
}

/** If it is asked whether one equipment's part is right for another: the others, which do not list it. */
function besidesOf({ part }: PartFact, { item, isOneOfSeveral }: Finding, findings: readonly Finding[]): string[] {
  if (!isOneOfSeveral) return [];
  const own = modelsOf({ item } as Finding);
  const alike = findings.filter((other) => other.item.text === item.text && other.item !== item);
  const others = [...new Set(alike.flatMap((other) => modelsOf(other)))].filter((each) => !own.includes(each));
  return others.filter((each) => !part.rows.some(({ equipment }) => equipment === each));
}

function fitmentOf({ id, places }: PartFact, facts: Facts): string {
  const machines = [...new Set(places.flatMap(({ equipment }) => equipment))];
  if (machines.length === 0)
    return `{${id}}: no manual that was read lists it, so what it fits is not known; {${id}.offer}.`;
  const fits = machines.slice(0, MOST_EQUIPMENT).map((machine) => {
    const at = places.findIndex(({ equipment }) => equipment.includes(machine)) + 1;
    return `${facts.machine(machine)} (${placeholder(id, "place", at)})`;
  });
  return `{${id}} fits ${listed(fits)}${machines.length > MOST_EQUIPMENT ? " and others" : ""}; {${id}.offer}.`;
}

function replacementsOf(
  part: FoundPart,
  successors: readonly FoundPart[],
  shown: ReadonlySet<string>,
  factOf: (part: FoundPart) => PartFact,
  facts: Facts,
): string[] {
  const pnNorm = part.replacedBy === undefined ? undefined : normalizePartNumber(part.replacedBy);
  const successor = successors.find((candidate) => candidate.pnNorm === pnNorm);
  if (!successor || !shown.has(keyOf(successor))) return [];
  const { id, places } = factOf(successor);
  const said = `{${factOf(part).id}.number} is replaced by {${id}}: ${places.length === 0 ? "" : `{${id}.page}; `}{${id}.offer}.`;
  const others = successors.filter((candidate) => candidate !== successor);
  return [said, ...replacementsOf(successor, others, shown, factOf, facts)];
}

/** Of a list that is cut: how many there are, and where the others are. */
function cutSaid({ item, total, isAtLeast }: Finding, shown: number, facts: Facts): string[] {
  if (total <= shown) return [];
  const [model] = item.models;
  const words = item.terms.filter((term) => !/\d/.test(term)).join(" ");
  const rest =
    model === undefined
      ? `/api/search?q=${encodeURIComponent(words)}`
      : `/api/ai/equipment?model=${encodeURIComponent(facts.fill(facts.machine(model.equipment)))}`;
  return [
    `${facts.value(shown)} of ${facts.value(total)}${isAtLeast ? " or more" : ""}; the others are among those of ${facts.value(rest)}`,
  ];
}

/** What several of a part cost. */
function severalSaid({ item }: Finding, parts: readonly PartFact[], { question }: Evidence, facts: Facts): string[] {
  const { count } = item;
  if (count === undefined || count < 2 || (item.wanted !== "offer" && item.wanted !== "part")) return [];
  if (item.mentions.length === 0 && parts.length > 1) return [];
  if (question.asksForTotal && question.items.length > 1) return [];
  return parts.map(({ id, offer: { price } }) => {
    const times = facts.value(count);
    return price === null
      ? `What ${times} of {${id}.number} cost is not known.`
      : `${times} of {${id}.number}: ${times} x {${id}.price} = ${facts.value(dollars((count * toCents(price)) / 100))}.`;
  });
}

/**
 * How many there are in each place of each part; undefined if not every place says so, or more than one manual is of
 * the equipment, which would count the same twice. If a diagram is asked for, its places alone.
 */
function countsOf({ item, parts, total }: Pick<Finding, "item" | "parts" | "total">): number[] | undefined {
  const models = new Set(item.models.map(({ equipment }) => equipment));
  const mayHaveMore = parts.some(
    ({ rows }) => rows.length >= MOST_ROWS && rows.every(({ equipment }) => models.has(equipment)),
  );
  if (models.size === 0 || total > parts.length || mayHaveMore) return undefined;
  const places = parts.flatMap((part) => {
    const own = part.rows.filter(
      ({ equipment, schema, quantity }) => models.has(equipment) && (schema !== "" || quantity !== undefined),
    );
    const weighed = own.map((row) => ({
      row,
      ...relevanceOf(item, { description: part.description, schema: row.schema }),
    }));
    const most = Math.max(...weighed.map(({ coverage }) => coverage));
    return placesOf(weighed.filter(({ coverage }) => coverage === most).map(({ row }) => row));
  });
  const counts = places.map(({ quantity }) => quantity);
  if (new Set(places.map(({ sha256 }) => sha256)).size !== 1 || !counts.every((count) => count !== undefined))
    return undefined;
  return counts;
}

function totalSaid(finding: Finding, shown: number, facts: Facts): string[] {
  if (finding.item.wanted !== "quantity" || shown !== finding.parts.length) return [];
  const counts = countsOf(finding);
  if (counts === undefined || counts.length < 2) return [];
  const kinds = shown > 1 ? `, of ${facts.value(shown)} different parts` : "";
  const sum = counts.reduce((total, count) => total + count, 0);
  return [`In all the places that are listed: ${facts.value(`${counts.join(" + ")} = ${sum}`)}${kinds}.`];
}

/** What all of it costs, if that is asked for. */
function totalCostSaid({ question, findings, offers }: Evidence, facts: Facts): string[] {
  const isPriced = findings.some(({ item }) => item.wanted === "offer");
  if (!question.asksForTotal || !isPriced) return [];
  const costs: { count: number; cents: number }[] = [];
  const unknown = (why: string): string[] => [`What it costs in all is not known: ${why}.`];
  for (const finding of findings.filter(({ item }) => item.wanted === "offer" || item.wanted === "part")) {
    const { item, parts } = finding;
    if (parts.length === 0) return unknown("not all of it was found");
    if (parts.length > 1 && (item.mentions.length === 0 || item.count !== undefined))
      return unknown("how many of each are meant was not understood");
    for (const part of parts) {
      const counted = findings.some((other) => other.item.count !== undefined) && !item.isPlural ? [1] : undefined;
      const counts = item.count !== undefined ? [item.count] : (counted ?? countsOf({ item, parts: [part], total: 1 }));
      const price = offers.get(keyOf(part))?.price ?? null;
      const number = facts.value(part.partNumber);
      if (counts === undefined) return unknown(`how many of ${number} there are is not known`);
      if (price === null) return unknown(`the price of ${number} is not known`);
      costs.push({ count: counts.reduce((sum, count) => sum + count, 0), cents: toCents(price) });
    }
  }
  const sum = costs.reduce((total, { count, cents }) => total + count * cents, 0);
  const each = costs.map(({ count, cents }) => `${count} x ${dollars(cents / 100)}`).join(" + ");
  return [`In all: ${facts.value(`${each} = ${dollars(sum / 100)}`)}.`];
}

/** Which of the parts it is, if several were found of what is compared. */
function pickSaid({ question, findings, parts, offers }: Evidence, facts: Facts): string[] {
  if (question.pick === undefined) return [];
  const own = findings.filter(({ item }) => item.isPicked);
  const compared =
    own.length > 0 ? own : findings.filter(({ item }) => item.wanted === "offer" || item.wanted === "part");
  const asked = new Set(compared.flatMap((finding) => [...finding.parts, ...finding.successors].map(keyOf)));
  const offered = parts
    .filter((part) => asked.has(keyOf(part)))
    .map((part) => facts.part(part, offers.get(keyOf(part)) ?? UNKNOWN_OFFER));
  if (offered.length < 2) return [];
  const numbers = (some: readonly PartFact[]): string => listed(some.map(({ id }) => `{${id}.number}`));
  if (question.pick === "cheapest") {
    const known = offered.filter(({ offer }) => isForSale(offer));
    if (known.length === 0)
      return ["Which of these is the cheapest is not known: none of them is for sale at a known price."];
    const least = Math.min(...known.map(({ offer }) => offer.price!));
    const cheapest = known.filter(({ offer }) => offer.price === least);
    const others = known.length === offered.length ? "of these" : "of those that are for sale at a known price";
    return [
      `The cheapest ${others}: ${numbers(cheapest)}, ${facts.value(dollars(least))}${cheapest.length > 1 ? " each" : ""}.`,
    ];
  }
  const kinds: readonly (readonly [string, readonly Offer["availability"][]])[] = [
    ["In stock", ["in_stock", "low_stock"]],
    ["Out of stock", ["out_of_stock"]],
    ["Whether it is in stock is not known", ["unknown", null]],
  ];
  const said = kinds.flatMap(([words, availabilities]) => {
    const own = offered.filter(({ offer }) => availabilities.includes(offer.availability));
    return own.length === 0 ? [] : [`${words}: ${numbers(own)}.`];
  });
  return [said.join(" ")];
}

function quotesSaid({ quotes }: Finding, facts: Facts): string[] {
  const unsure = [...new Set(quotes.filter(({ isOneOfSeveral }) => isOneOfSeveral).map(({ equipment }) => equipment))];
  return [
    ...unsure.map((equipment) => `The ${facts.machine(equipment)} manual gives more than one value:`),
    ...quotes.map((quote) => facts.quote(quote)),
  ];
}

function untoldSaid(finding: Finding, { failed }: Evidence, facts: Facts): string[] {
  if (finding.untold === undefined || failed.has("passages")) return [];
  const models = modelsOf(finding);
  const of = models.length === 0 ? "" : `of the ${machinesSaid(models, facts)} `;
  return [`No ${finding.untold} of it is told by the text of the manuals ${of}that were read.`];
}

function nothingSaid(finding: Finding, isCatalogKnown: boolean, isNumberSaid: boolean, facts: Facts): string {
  const { item, elsewhere, nearest, strangers } = finding;
  const models = modelsOf(finding);
  const words = finding.isOneOfSeveral ? quotedWords(item.text) : undefined;
  const what = words === undefined ? "" : ` (“${words}”)`;
  const near = nearest.length === 0 ? "" : ` Nearest: ${nearest.map((part) => nearSaid(part, facts)).join("; ")}.`;
  if (models.length > 0) {
    if (item.place)
      return `The manuals of the ${machinesSaid(models, facts)} that were read list nothing at that place.`;
    if (isNumberSaid && item.terms.every((term) => /\d/.test(term))) return "";
    const machines = elsewhere.map(({ equipment }) => equipment);
    const other =
      machines.length === 0
        ? ""
        : ` One is listed for the ${machinesSaid(machines, facts)}, which does not say that it fits.`;
    return `The manuals of the ${machinesSaid(models, facts)} that were read list no such part${what}.${near}${other}`;
  }
  if (strangers.length > 0 && (!isNumberSaid || item.terms.some((term) => !/\d/.test(term))))
    return `No manual of that equipment was read${isCatalogKnown ? ", and the catalog has no such part that names it" : ""}.${didYouMean(strangers, facts)}`;
  if (item.place) return "Each manual numbers its figures and items anew: name the equipment, too.";
  if (isNumberSaid) return "";
  return `Nothing in the manuals ${isCatalogKnown ? "or in the catalog " : ""}answers this${what}.${near}`;
}

/** Said without the numbers themselves: an answer has none that nobody knows. */
function unknownNumbersSaid(
  { unknownNumbers, item, parts, strangers }: Finding,
  isCatalogKnown: boolean,
  facts: Facts,
): string[] {
  const { numbersTyped, numbersLeftOut, terms } = item;
  // What looks like a number is rather the name of an equipment if a part of it is asked for.
  const isEquipment = parts.length === 0 && strangers.length > 0 && terms.some((term) => !/\d/.test(term));
  if (isEquipment) return [];
  const ordinal = ({ place }: UnknownNumber): string => {
    const ending = place % 100 >= 11 && place % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
    return facts.value(`${place}${ending}`);
  };
  const isOnly = numbersTyped === 1;
  const which = isOnly
    ? "That number"
    : `Of the ${facts.value(numbersTyped)} numbers, the ${listed(unknownNumbers.map(ordinal))}`;
  const said =
    unknownNumbers.length === 0
      ? []
      : [
          `${which} ${unknownNumbers.length > 1 ? "are" : "is"} in no manual that was read${isCatalogKnown ? " and not in the catalog" : ""}.`,
        ];
  const near = unknownNumbers
    .filter((each) => each.near.length > 0)
    .map(
      (each) =>
        `${isOnly ? "Did" : `For the ${ordinal(each)}, did`} you mean ${each.near.map((part) => nearSaid(part, facts)).join(" or ")}?`,
    );
  const leftOut =
    numbersLeftOut === 0
      ? []
      : [
          `The first ${facts.value(numbersTyped - numbersLeftOut)} of ${facts.value(numbersTyped)} numbers were looked up: ask for the other ${facts.value(numbersLeftOut)} by themselves.`,
        ];
  return [...said, ...near, ...leftOut];
}

function nearSaid({ partNumber, description, row }: NearPart, facts: Facts): string {
  const title = titleOf(description);
  const name = facts.value(title === undefined ? partNumber : `${partNumber} (${title})`);
  return row === undefined
    ? `${name}, in the catalog`
    : `${name}, page ${facts.value(row.page)} of the ${facts.machine(row.equipment)} manual`;
}

function didYouMean(strangers: readonly { near: readonly Machine[] }[], facts: Facts): string {
  const near = [...new Set(strangers.flatMap((stranger) => stranger.near.map(({ equipment }) => equipment)))];
  return near.length === 0 ? "" : ` Did you mean the ${machinesSaid(near.slice(0, MOST_PLACES), facts)}?`;
}

function guessSaid({ guessed }: Question, facts: Facts): string[] {
  const machines = [...new Set(guessed.map(({ equipment }) => equipment))];
  if (machines.length === 0) return [];
  if (machines.length === 1) return [`This takes the equipment to be the ${machinesSaid(machines, facts)}.`];
  return [
    `Which do you mean: the ${machines
      .slice(0, MOST_EQUIPMENT)
      .map((each) => facts.machine(each))
      .join(", the ")}?`,
  ];
}

function knownMachines(machines: readonly Machine[], facts: Facts): string {
  const names = [...new Set(machines.map(({ equipment }) => equipment))].sort();
  if (names.length === 0) return "No manual was read yet.";
  const shown = names.slice(0, MOST_LISTED_MACHINES);
  const more = names.length > shown.length ? " and others" : "";
  return `Manuals of ${facts.value(names.length)} machines were read: ${shown.map((each) => facts.machine(each)).join(", ")}${more}.`;
}

/** Words as they were typed, never with a digit. */
function quotedWords(text: string): string | undefined {
  const words = text
    .split(" ")
    .filter((word) => !/\d/.test(word) && /\p{L}/u.test(word))
    .slice(0, MOST_QUOTED_WORDS);
  return titleOf(words.join(" "));
}
