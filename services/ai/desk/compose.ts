import { RELEVANT, scoreRelevance } from "@partline/parts-search";
import {
  isOtherScript,
  isAskingTerm,
  findMeasure,
  PART_WORDS,
  SAYS,
  deduplicate,
  isUnknownMachine,
  listModelNames,
  extractPartTerms,
  type UnknownName,
} from "@partline/parts-language/words";
import { normalizePartNumber, cleanTitle } from "@partline/parts-language";
import { formatList, formatPartName, type Facts, type PartFact } from "./facts.ts";
import { findNoun } from "./find.ts";
import { fitsOne, listPartMachines } from "./machines.ts";
import { deduplicateParts } from "./parts.ts";
import { isForSale, toPartKey, NO_PAGE, type FoundPart, type Offer, type Searched } from "./port.ts";
import { isFound, type Finding } from "./finding.ts";
import type { CartWish } from "./response.ts";
import { renderComparison, renderConversions, renderCount, renderFirst, renderUnmet } from "./remarks.ts";
import { renderText } from "./texts.ts";
import { renderCost, renderPick, renderTotal } from "./sums.ts";
import type { Evidence } from "./evidence.ts";

/** Parts that an answer has: all numbers of a question, with what some of them were replaced by. */
const MOST_ANSWERED = 24;
const MOST_PLACES = 3;
const MOST_EQUIPMENT = 8;
const MOST_LISTED_MACHINES = 20;
const MOST_QUOTED_WORDS = 4;
/** Behind it stands where a part is used, and not what it is. */
const ON_WHAT = /\s(?:on|onto|for|in|into|with|fits?)\s/i;

const OFF_TOPIC =
  "I answer questions about parts: which part fits an equipment, how many it has, on which page of its manual, what replaces it, its price and stock. " +
  "Nothing in the manuals or in the catalog answers this one.";
const UNCLEAR =
  "What that refers to is not known here: nothing was answered before under this X-Session-Id that it could be. Name the part or the equipment.";
const OTHER_SCRIPT =
  "I read questions in English, German, Spanish and French, and numbers of parts and equipment in any language.";
const SHIPPING = "What shipping costs is shown at the checkout, for your address and before you pay.";
const ORDERS =
  "I cannot place, find, change or cancel an order: your orders are in your account, and the link in an order's confirmation mail opens it without one.";
const CART = "I cannot change your cart myself:";
const WHICH_TO_CART = "say which part it is by its number, and a line for your cart is made ready.";
const NOT_FOR_CART = "of this nothing is for sale at a known price.";
const SUPPLIER_FAILED = "The supplier did not answer: price and stock are the catalog's last known values.";
const NOBODY_ASKED = "Price and stock could not be asked for.";
const CATALOG_FAILED = "The catalog could not be searched: this is from the manuals alone.";
const PASSAGES_FAILED = "The text of the manuals could not be searched: their parts lists alone were.";
const REPLACEMENT_UNKNOWN = "Whether something replaces it could not be looked up.";
const DELIVERY_UNKNOWN = "When it can be delivered is not known.";
const NO_MACHINES = "I don't have the machines that it fits.";
const NO_COUNT = "I don't have a parts list that says how many it takes.";

/** Merges the parts of all findings in turns: the second item's best part comes before the first item's second. */
export function mergeParts(findings: readonly Finding[]): FoundPart[] {
  const queues = findings.map(({ parts, successors }) => [...parts.slice(0, 1), ...successors, ...parts.slice(1)]);
  const ranked = queues.flatMap((queue) => queue.map((part, rank) => ({ part, rank })));
  ranked.sort((a, b) => a.rank - b.rank);
  return deduplicateParts(ranked.map(({ part }) => part)).slice(0, MOST_ANSWERED);
}

/**
 * Composes the answer as paragraphs with placeholders: the same evidence gives the same words, and every number in them
 * is a fact. All of its parts are facts already.
 */
export function composeAnswer(evidence: Evidence, facts: Facts): string {
  const { question } = evidence;
  const paragraphs = filterTexts(
    ...renderLeads(evidence, facts),
    ...renderParagraphs(selectFindings(evidence), evidence, facts),
    ...renderNotes(evidence, facts),
  );
  if (paragraphs.length > 0) return [...new Set(paragraphs)].join("\n\n");
  return question.isUnclear ? UNCLEAR : isOtherScript(question.text) ? OTHER_SCRIPT : OFF_TOPIC;
}

function findCannedReplies({ question: { text, talk }, texts }: Pick<Evidence, "question" | "texts">): string[] {
  return [
    ...talk.map((name) => renderText(texts, `talk ${name}`)),
    ...(SAYS["shipping cost"].test(text) ? [SHIPPING] : []),
  ];
}

/** Returns the findings that the answer states: without those that were not understood, if there are others. */
export function selectFindings({ findings, question, texts }: Evidence): readonly Finding[] {
  const { asksForCart, asksForOrder } = question;
  const hasCannedReply = asksForCart || asksForOrder || findCannedReplies({ question, texts }).length > 0;
  const telling = findings.filter((finding) => isTelling(finding) && (!hasCannedReply || hasParts(finding)));
  return telling.length > 0 || hasCannedReply ? telling : findings;
}

export function renderParagraphs(findings: readonly Finding[], evidence: Evidence, facts: Facts): string[] {
  return filterTexts(...findings.map((finding) => renderParagraph(finding, evidence, facts)));
}

/** Renders what the server alone says first: what an answer cannot do, and what it is taken to be about. */
export function renderLeads(evidence: Evidence, facts: Facts): string[] {
  const { question, findings, machines, failed } = evidence;
  const strangers = findings.some(isFound)
    ? findings.flatMap(({ item }) => item.strangers).filter(isUnknownMachine)
    : [];
  const determiner = question.models.length > 0 ? "the other" : "that";
  const unknown = `No manual of ${determiner} equipment was read: what fits it is not known.`;
  return filterTexts(
    question.asksForCart ? renderCart(evidence, facts) : question.asksForOrder && ORDERS,
    ...findCannedReplies(evidence),
    renderUnmet(evidence, facts),
    renderComparison(evidence, facts),
    renderCount(evidence, facts),
    machines && renderKnownMachines(machines, facts),
    !machines && renderGuess(evidence, facts),
    strangers.length > 0 && renderNoManual(unknown, evidence, facts) + suggestMachines(strangers, facts),
    question.isUnclear && findings.length > 0 && UNCLEAR,
    isOtherScript(question.text) && !findings.some(hasParts) && failed.size === 0 && OTHER_SCRIPT,
  );
}

/** Lists what goes into the cart: for each thing that is asked for, the one part that it can be. */
export function listCartWishes({ findings }: Pick<Evidence, "findings">): CartWish[] {
  return findings.flatMap(({ parts, item: { count = 1, mentions } }) =>
    parts.length === 1 || mentions.length > 0 ? parts.map((part) => ({ part, count })) : [],
  );
}

function renderCart(evidence: Evidence, facts: Facts): string {
  const wishes = listCartWishes(evidence);
  const isSold = ({ part }: CartWish): boolean => isForSale(facts.addPart(part).offer);
  const lines = wishes
    .filter(isSold)
    .map(({ part, count }) => `${facts.addValue(count)} of {${facts.addPart(part).id}.number}`);
  if (lines.length > 0)
    return `${CART} ${formatList(lines)} can be put into it as it stands here; check out in the store.`;
  return `${CART} ${wishes.length > 0 ? NOT_FOR_CART : WHICH_TO_CART}`;
}

/** Renders what the server alone says last: sums, which of several it is, and what was not understood. */
export function renderNotes(evidence: Evidence, facts: Facts): string[] {
  const { findings } = evidence;
  const isQuoted = findings.some(isTelling);
  const aside = findings.flatMap((finding) => (isTelling(finding) ? finding.ignored : finding.item.terms));
  const words = isQuoted ? selectQuotedWords([...new Set(aside)].join(" "), evidence.translated) : undefined;
  return filterTexts(
    renderCost(evidence, facts),
    renderPick(evidence, facts),
    renderFirst(evidence, facts),
    renderConversions(evidence, facts),
    findings.some(isOpenToMachines) && "Which machine is it for? Its name says what fits.",
    words && `Left aside, as it was not understood: “${words}”.`,
  );
}

/** Whether the name of a machine would decide which of the parts fits. */
function isOpenToMachines({ item: { wanted: intent, models, mentions, strangers }, parts }: Finding): boolean {
  return intent === "part" && parts.length > 0 && models.length + mentions.length + strangers.length === 0;
}

/** Renders what could not be searched or asked for an answer about these parts. */
export function renderOutages(failed: ReadonlySet<Searched>, offers: readonly Offer[]): string[] {
  const unanswered = offers.filter(({ supplierFailed }) => supplierFailed);
  return filterTexts(
    failed.has("catalog") && CATALOG_FAILED,
    failed.has("passages") && PASSAGES_FAILED,
    unanswered.some(({ id }) => id === null) && NOBODY_ASKED,
    unanswered.some(({ id }) => id !== null) && SUPPLIER_FAILED,
  );
}

function filterTexts(...texts: readonly (string | false | undefined)[]): string[] {
  return texts.filter((text): text is string => typeof text === "string" && text !== "");
}

function hasParts({ parts }: Finding): boolean {
  return parts.length > 0;
}

/** Whether a finding says something, or was at least understood. */
function isTelling(finding: Finding): boolean {
  return isFound(finding) || finding.unknownNumbers.length > 0 || finding.untold !== undefined || finding.isUnderstood;
}

function renderParagraph(finding: Finding, evidence: Evidence, facts: Facts): string {
  const { item, quotes, successors, untold } = finding;
  const { question, failed } = evidence;
  const shownKeys = new Set(evidence.parts.map(toPartKey));
  const parts = finding.parts.filter((part) => shownKeys.has(toPartKey(part))).map((part) => facts.addPart(part));
  const catalog = failed.has("catalog") ? undefined : "the catalog";
  const unknown = renderUnknownNumbers(finding, catalog, facts);
  const manuals = item.models.length === 0 ? "the manuals" : `the manuals of the ${facts.addMachines(item.models)}`;
  const text = filterTexts(
    untold !== undefined && !failed.has("passages")
      ? finding.mayBeTold
        ? `I couldn't find the ${untold} of it in the text of ${manuals}.`
        : `No ${untold} of it is given in the text of ${manuals} that were read.`
      : findCaveat(finding),
    ...renderQuotes(finding, facts),
  );
  if (parts.length === 0) {
    const isSaid =
      quotes.length > 0 || (untold !== undefined && (finding.nearest.length > 0 || item.terms.every(isAskingTerm)));
    const nothing = !isSaid && renderNothingFound(finding, catalog, unknown.length > 0, evidence, facts);
    return filterTexts(...text, filterTexts(...unknown, nothing).join(" ")).join("\n");
  }
  const lines = parts.map((fact) => renderLine(fact, finding, evidence, facts));
  const lead = renderLead(finding, evidence, facts);
  const isReplacement = item.wanted === "replacement";
  const replacing = isReplacement ? [...successors, ...finding.parts] : successors;
  const news = parts.flatMap(({ part }) => renderReplacements(part, replacing, shownKeys, facts));
  const total = finding.total > parts.length && `${facts.addValue(parts.length)} of ${facts.addValue(finding.total)}`;
  const sentences = filterTexts(
    lines.length === 1 && !item.symptom
      ? `${lead}${lines.join("")}`
      : `${lead.trimEnd()}\n${lines.map((line) => `- ${line}`).join("\n")}`,
    total && `${total}${finding.isAtLeast ? " or more" : ""}: say more of what you look for to see others.`,
    renderTotal(finding, parts.length, facts),
    ...news,
    isReplacement &&
      news.length === 0 &&
      (finding.isReplacementUnknown
        ? REPLACEMENT_UNKNOWN
        : `${catalog ? `Neither a manual nor ${catalog}` : "No manual"} names a replacement.`),
    SAYS.delivery.test(question.text) && !question.asksForOrder && DELIVERY_UNKNOWN,
    ...unknown,
  );
  return filterTexts(...text, sentences.join(lines.length === 1 ? " " : "\n")).join("\n");
}

/** Finds what the answer must say is missing where a part or a line of the text stands in for it. */
export function findCaveat({ item, parts, quotes }: Finding): string | undefined {
  const { text, wanted: intent } = item;
  const measure = findMeasure(text);
  const isNoPart = SAYS["no part"].test(text);
  if (quotes.length > 0)
    return parts.length > 0 || measure || isNoPart || intent !== "part" || !PART_WORDS.has(findNoun(item) ?? "")
      ? undefined
      : "No part of that name is in the parts lists; the text says:";
  const isTold = measure !== undefined && parts.some(({ description }) => measure.told.test(description));
  const asks = isNoPart || measure?.isOfParts === true;
  return asks && parts.length > 0 && !isTold ? "The manuals do not answer that." : undefined;
}

function renderLead(
  { item, parts, quotes, isOneOfSeveral, unknownNumbers }: Finding,
  { question: { text }, texts }: Pick<Evidence, "question" | "texts">,
  facts: Facts,
): string {
  const { models, mentions, strangers, symptom } = item;
  const machines = facts.addMachines(models);
  const machinePhrase = models.length === 0 ? "" : ` of the ${machines}`;
  if (symptom?.isService) return renderText(texts, "service parts", { machines: models.length === 0 ? "" : machines });
  if (symptom && quotes.length > 0) return `Parts${machinePhrase} that may be behind it:`;
  if (symptom) return `The manuals${machinePhrase} do not say what causes that. Parts that are looked at first:`;
  const listing = parts.filter((part) => fitsOne(listPartMachines(part), models));
  // `Is 24 999 11-S the muffler?` is asked of that number: not of a muffler that was found, or of a gasket for one.
  const words = extractPartTerms(item.text.split(ON_WHAT)[0]!).filter((term) => PART_WORDS.has(term));
  const isAsSaid = ({ pnNorm, description, rows }: FoundPart): boolean => {
    const { coverage, isThing } = scoreRelevance({ terms: words }, { description, schema: rows[0]?.schema });
    const isCalledSo = words.length === 0 || (coverage >= RELEVANT && isThing);
    return isCalledSo && mentions.some((mention) => mention.pnNorm.endsWith(pnNorm));
  };
  const isOneThing =
    !isOneOfSeveral && unknownNumbers.length === 0 && parts.every(isAsSaid) && !strangers.some(isUnknownMachine);
  const asksWhetherItFits = SAYS["does it fit"].test(text) && !/^(?:which|what)\b/i.test(text);
  if (listing.length === parts.length && isOneThing && asksWhetherItFits) return `Yes, listed for the ${machines}: `;
  if (listing.length > 0) return `For the ${machines}: `;
  return parts.length > 1 ? "These parts match: " : "";
}

/** Renders one part, with the attribute that was asked for first. */
function renderLine(fact: PartFact, finding: Finding, { findings }: Evidence, facts: Facts): string {
  const { id, places, offer } = fact;
  const { wanted: intent, models } = finding.item;
  const [first, ...otherPlaces] = places
    .map((place, at) => ({ place, at: at === 0 ? "" : `.${at + 1}` }))
    .filter(({ place }) => models.length === 0 || place.equipment.some((name) => models.includes(name)));
  const everywhere = places.slice(0, MOST_EQUIPMENT).map(({ equipment }, index) => {
    return `${facts.addMachines(equipment.slice(0, MOST_EQUIPMENT))} ({${id}.place${index === 0 ? "" : `.${index + 1}`}})`;
  });
  // `GT-2254 (page 3) and ZT 3000 (page 4)`
  const fits = fact.part.catalog?.fits ?? [];
  const catalogList = facts.addMachines(fits.slice(0, MOST_EQUIPMENT));
  const placeList =
    places.length === 0
      ? catalogList
      : `${formatList(everywhere)}${places.length > MOST_EQUIPMENT ? " and others" : ""}`;
  const isInCatalog = fitsOne(fits, models);
  if (models.length > 0 && !first && !isInCatalog)
    return `{${id}}: not listed for the ${facts.addMachines(models)}${placeList === "" ? "" : `; listed for the ${placeList}`}; {${id}.offer}.`;
  if (intent === "fitment" && models.length === 0)
    return placeList === ""
      ? `{${id}}: {${id}.offer}. ${NO_MACHINES}`
      : `{${id}} fits the ${placeList}; {${id}.offer}.`;
  const manualPhrase = models.length > 0 || !first ? "" : ` of the ${facts.addMachines(first.place.equipment)} manual`;
  const listed = models.length > 0 || catalogList === "" ? "" : `listed for the ${catalogList}`;
  const where = first ? `{${id}.place${first.at}}${manualPhrase}` : listed;
  const more = otherPlaces.slice(0, MOST_PLACES).map(({ place, at: suffix }) => {
    return `{${id}.place${suffix}}${models.length === 1 ? "" : ` (${facts.addMachines(place.equipment)})`}`;
  });
  const also = more.length === 0 || intent === "offer" ? "" : ` Also: ${more.join("; ")}.`;
  const lacking = listUnlistedModels(fact, finding, findings);
  const end = `.${also}${lacking.length === 0 ? "" : ` It is not listed for the ${facts.addMachines(lacking)}.`}`;
  if (intent === "offer") {
    const isUnlisted = offer.id === null && !offer.supplierFailed;
    return `{${id}}: {${id}.offer}${isUnlisted ? ", so its price and stock are not known" : ""}${where === "" ? "" : `; ${where}`}${end}`;
  }
  if (intent !== "quantity") return `{${id}}: ${where === "" ? "" : `${where}; `}{${id}.offer}${end}`;
  if (!first) return `{${id}}: {${id}.offer}${end} ${NO_COUNT}`;
  if (first.place.quantity === undefined)
    return `{${id}}: the manual gives no number of them (none, or “as required”); ${where}; {${id}.offer}${end}`;
  const figure = first.place.schema === "" ? "" : `{${id}.figure${first.at}}, `;
  return `{${id}.quantity${first.at}} of {${id}}: ${figure}{${id}.page${first.at}}${manualPhrase}; {${id}.offer}${end}`;
}

/** Lists the other models that were asked about and do not list the part. */
function listUnlistedModels(
  { part }: PartFact,
  { item, isOneOfSeveral }: Finding,
  findings: readonly Finding[],
): string[] {
  if (!isOneOfSeveral) return [];
  const alike = findings.filter((candidate) => candidate.item.text === item.text);
  const listing = [...item.models, ...listModelNames(part.rows)];
  return deduplicate(alike.flatMap((candidate) => candidate.item.models)).filter((model) => !listing.includes(model));
}

function renderReplacements(
  part: FoundPart,
  successors: readonly FoundPart[],
  shownKeys: ReadonlySet<string>,
  facts: Facts,
): string[] {
  const pnNorm = part.replacedBy === undefined ? undefined : normalizePartNumber(part.replacedBy);
  const successor = successors.find((candidate) => candidate.pnNorm === pnNorm);
  if (!successor || !shownKeys.has(toPartKey(successor))) return [];
  const { id, places } = facts.addPart(successor);
  const page = places.length === 0 ? "" : `{${id}.page}; `;
  const otherSuccessors = successors.filter((candidate) => candidate !== successor);
  return [
    `{${facts.addPart(part).id}.number} is replaced by {${id}}: ${page}{${id}.offer}.`,
    ...renderReplacements(successor, otherSuccessors, shownKeys, facts),
  ];
}

function renderQuotes({ quotes }: Finding, facts: Facts): string[] {
  const unsure = listModelNames(quotes.filter(({ isOneOfSeveral, page }) => isOneOfSeveral && page !== NO_PAGE));
  return [
    ...unsure.map((equipment) => `The ${facts.addMachine(equipment)} manual gives more than one value:`),
    ...quotes.map((quote) => facts.addQuote(quote)),
  ];
}

/** @param catalog undefined if it could not be searched @param isNumberSaid a number is said to be unknown already */
function renderNothingFound(
  finding: Finding,
  catalog: string | undefined,
  isNumberSaid: boolean,
  evidence: Evidence,
  facts: Facts,
): string {
  const { translated } = evidence;
  const { item, elsewhere, nearest, isOneOfSeveral, isUnderstood } = finding;
  const { models, strangers, place, terms, text } = item;
  const words = selectQuotedWords(text, translated);
  const what = words === undefined || !isOneOfSeveral ? "" : ` (“${words}”)`;
  const near =
    nearest.length === 0 ? "" : ` Nearest: ${nearest.map((part) => renderNearPart(part, facts)).join("; ")}.`;
  const isNamed = terms.some((term) => !/\d/.test(term));
  if (!isUnderstood && !isNumberSaid && strangers.length === 0)
    return `${words === undefined ? "" : `I did not understand “${words}”.`}${near}`;
  if (models.length > 0) {
    const manuals = `The manuals of the ${facts.addMachines(models)} that were read`;
    if (place) return `${manuals} list nothing at that place.`;
    if (isNumberSaid && !isNamed) return "";
    if (SAYS["no part"].test(text)) return `${manuals} do not say that${what}.`;
    const otherMachines = facts.addMachines(elsewhere);
    const alternative =
      otherMachines === "" ? "" : ` One is listed for the ${otherMachines}, which does not say that it fits.`;
    return `${manuals} list no such part${what}.${renderUnreadPages(evidence, facts)}${near}${alternative}`;
  }
  if (strangers.length > 0 && (!isNumberSaid || isNamed)) {
    const inCatalog = catalog ? `, and ${catalog} has no such part that names it` : "";
    const denial = `No manual of that equipment was read${inCatalog}.`;
    return renderNoManual(denial, evidence, facts) + suggestMachines(strangers, facts);
  }
  if (place) return "Each manual has its own numbers of figures and items: name the equipment, too.";
  return isNumberSaid ? "" : `Nothing in the manuals ${catalog ? `or in ${catalog} ` : ""}answers this${what}.${near}`;
}

/** Renders the numbers that nobody knows by their place, as an answer repeats no unknown number. */
function renderUnknownNumbers(finding: Finding, catalog: string | undefined, facts: Facts): string[] {
  const { unknownNumbers, item, parts } = finding;
  const { numbersTyped, mentions, terms, strangers } = item;
  // What looks like a number is rather the name of an equipment if a part of it is asked for.
  if (parts.length === 0 && strangers.length > 0 && terms.some((term) => !/\d/.test(term))) return [];
  const isOnly = numbersTyped === 1;
  const ordinals = unknownNumbers.map(({ place }) => facts.addValue(`no. ${place}`));
  const which = isOnly ? "That number" : `Of the ${facts.addValue(numbersTyped)} numbers, ${formatList(ordinals)}`;
  const verb = unknownNumbers.length > 1 ? "are" : "is";
  const lookedUp = new Set(mentions.map(({ number }) => number)).size;
  return filterTexts(
    unknownNumbers.length > 0 &&
      `${which} ${verb} in no manual that was read${catalog ? ` and not in ${catalog}` : ""}.`,
    ...unknownNumbers.map(({ near }, index) => {
      const suggestions = near.map((part) => renderNearPart(part, facts)).join(" or ");
      return suggestions !== "" && `${isOnly ? "Did" : `For ${ordinals[index]!}, did`} you mean ${suggestions}?`;
    }),
    numbersTyped > lookedUp &&
      `The first ${facts.addValue(lookedUp)} of ${facts.addValue(numbersTyped)} numbers were looked up: ask for the other ${facts.addValue(numbersTyped - lookedUp)} by themselves.`,
  );
}

function renderNearPart(part: FoundPart, facts: Facts): string {
  const [row] = part.rows;
  const where = row
    ? `page ${facts.addValue(row.page)} of the ${facts.addMachine(row.equipment)} manual`
    : "in the catalog";
  return `${facts.addValue(formatPartName(part))}, ${where}`;
}

/** Renders that no manual is of a machine; or, if some do not say which machine they are for, that they may be. */
function renderNoManual(denial: string, { nameless }: Evidence, facts: Facts): string {
  const titles = nameless.slice(0, MOST_PLACES).map((title) => facts.addMachine(title));
  if (titles.length === 0) return denial;
  const lead = "I don't have a manual under that name, but";
  return titles.length === 1
    ? `${lead} one doesn't say which machine it's for: ${titles.join("")}. Is that yours?`
    : `${lead} some don't say which machine they're for: ${formatList(titles)}. Is it one of them?`;
}

/** Says that the denial is not the last word. */
function renderUnreadPages({ unreadPages }: Evidence, facts: Facts): string {
  if (unreadPages === 0) return "";
  return unreadPages === 1
    ? " One page has its list as a picture that hasn't been read, so it may be there."
    : ` ${facts.addValue(unreadPages)} pages have lists as pictures that haven't been read, so it may be there.`;
}

function suggestMachines(strangers: readonly UnknownName[], facts: Facts): string {
  const near = deduplicate(strangers.flatMap((unknownName) => unknownName.near));
  return near.length === 0 ? "" : ` Did you mean the ${facts.addMachines(near.slice(0, MOST_PLACES))}?`;
}

function renderGuess({ question, findings }: Evidence, facts: Facts): string | undefined {
  const isAnswered = (model: string): boolean =>
    findings.length === 0 || findings.some(({ item }) => item.models.includes(model));
  const machines = question.guessed.filter(isAnswered).slice(0, MOST_EQUIPMENT);
  // One is named by the answer itself.
  if (machines.length < 2) return undefined;
  return `Which do you mean: the ${machines.map((model) => facts.addMachine(model)).join(", the ")}?`;
}

function renderKnownMachines(names: readonly string[], facts: Facts): string {
  if (names.length === 0) return "No manual was read yet.";
  const shownMachines = names.slice(0, MOST_LISTED_MACHINES).map((name) => facts.addMachine(name));
  const more = names.length > shownMachines.length ? " and others" : "";
  return `Manuals of ${facts.addValue(names.length)} machines were read: ${shownMachines.join(", ")}${more}.`;
}

/** Selects the words that may name something, or else the first words; none with a digit. */
function selectQuotedWords(text: string, but: ReadonlySet<string> = new Set()): string | undefined {
  const words = text
    .split(" ")
    .filter((word) => !/\d/.test(word) && /\p{L}/u.test(word) && !but.has(word.toLowerCase()));
  const telling = words.filter((word) => extractPartTerms(word).some((term) => !isAskingTerm(term)));
  return cleanTitle((telling.length > 0 ? telling : words).slice(0, MOST_QUOTED_WORDS).join(" "));
}
