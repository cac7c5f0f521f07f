import { isCalled, RELEVANT, scoreRelevance } from "@partline/parts-search";
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
  type Item,
  type UnknownName,
} from "@partline/parts-language/words";
import { isInstruction, normalizePartNumber, cleanTitle } from "@partline/parts-language";
import { formatPartName, type Facts, type PartFact } from "./facts.ts";
import { findNoun, isNamedForStrangers } from "./find.ts";
import { fitsOne, listPartMachines } from "./machines.ts";
import { deduplicateParts } from "./parts.ts";
import { isForSale, toPartKey, NO_PAGE, type FoundPart, type Offer, type Searched } from "./port.ts";
import { isFound, type Finding } from "./finding.ts";
import type { CartWish } from "./response.ts";
import {
  isOfWeight,
  renderComparison,
  renderConversions,
  renderCount,
  renderTireSize,
  renderUnmet,
  renderWeights,
} from "./remarks.ts";
import { findText, renderText, type TextName, type Texts } from "./texts.ts";
import { renderBudget, renderCost, renderPick, renderTotal } from "./sums.ts";
import type { Evidence } from "./evidence.ts";
import { renderYesNo } from "./yes-no.ts";

/** Parts that an answer has: all numbers of a question, with what some of them were replaced by. */
const MOST_ANSWERED = 24;
const MOST_PLACES = 3;
const MOST_EQUIPMENT = 8;
const MOST_LISTED_MACHINES = 20;
const MOST_QUOTED_WORDS = 4;
/** Behind it stands where a part is used, and not what it is. */
const ON_WHAT = /\s(?:on|onto|for|in|into|with|fits?)\s/i;

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
  return evidence.texts[question.isUnclear ? "unclear" : isOtherScript(question.text) ? "other script" : "off topic"];
}

function findCannedReplies({ question: { text, talk }, texts }: Pick<Evidence, "question" | "texts">): string[] {
  return [
    ...talk.flatMap((name) => findText(texts, `talk ${name}`) ?? []),
    ...(SAYS["shipping cost"].test(text) ? [texts["shipping cost"]] : []),
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
  const { question, findings, machines, failed, texts } = evidence;
  const unknownNames = findings.some(isFound)
    ? findings.flatMap(({ item }) => item.unknownNames).filter(isUnknownMachine)
    : [];
  const isOfTitle = findings.every(
    ({ item, parts }) => parts.length > 0 && parts.every((part) => isNamedForStrangers(item, part)),
  );
  const unknown =
    texts[question.models.length > 0 ? "other machine unknown" : isOfTitle ? "by the title" : "machine unknown"];
  return filterTexts(
    question.asksForCart ? renderCart(evidence, facts) : question.asksForOrder && texts.orders,
    ...findCannedReplies(evidence),
    renderUnmet(evidence, facts),
    renderBudget(evidence, facts),
    renderComparison(evidence, facts),
    renderCount(evidence, facts),
    renderYesNo(evidence, facts),
    renderTireSize(evidence, facts),
    machines && renderKnownMachines(machines, evidence, facts),
    !machines && renderGuess(evidence, facts),
    unknownNames.length > 0 &&
      renderNoManual(unknown, evidence, facts) + suggestMachines(unknownNames, evidence, facts),
    question.isUnclear && findings.length > 0 && texts.unclear,
    isOtherScript(question.text) && !findings.some(hasParts) && failed.size === 0 && texts["other script"],
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
    .map(({ part, count }) => `${facts.addValue(count)} × {${facts.addPart(part).id}.number}`);
  const { texts } = evidence;
  if (lines.length > 0) return renderText(texts, "cart", { lines: facts.list(lines) });
  return texts[wishes.length > 0 ? "not for the cart" : "which for the cart"];
}

/** Renders what the server alone says last: sums, which of several it is, and what was not understood. */
export function renderNotes(evidence: Evidence, facts: Facts): string[] {
  const { findings, texts } = evidence;
  // A second thing that is not there is said not to be; words that matter to no part are left alone.
  // What orders the desk about asks for nothing, and its words are not repeated.
  const isSaidMissing = (finding: Finding): boolean => !isTelling(finding) && !isInstruction(finding.item.text);
  const isThing = ({ item: { text, terms } }: Finding): boolean =>
    terms.some((term) => PART_WORDS.has(term)) || /^(?:also )?(?:an?|the|some|any|one|\d+)\b/i.test(text);
  const missingTerms = findings.flatMap((finding) =>
    isSaidMissing(finding) && isThing(finding) ? finding.item.terms : [],
  );
  const words = findings.some(isTelling)
    ? selectQuotedWords([...new Set(missingTerms)].join(" "), evidence.translated)
    : undefined;
  return filterTexts(
    renderCost(evidence, facts),
    renderPick(evidence, facts),
    renderWeights(evidence, facts) ?? renderConversions(evidence, facts),
    findings.some(isOpenToMachines) && texts["which machine"],
    words && renderText(texts, "nothing for", { words }),
  );
}

/** Returns whether the name of a machine would decide which of the parts fits. */
function isOpenToMachines({ item: { wanted: intent, models, mentions, unknownNames }, parts }: Finding): boolean {
  return intent === "part" && parts.length > 0 && models.length + mentions.length + unknownNames.length === 0;
}

/** Renders what could not be searched or asked for an answer about these parts. */
export function renderOutages(failed: ReadonlySet<Searched>, offers: readonly Offer[], texts: Texts): string[] {
  const unanswered = offers.filter(({ supplierFailed }) => supplierFailed);
  return filterTexts(
    failed.has("catalog") && texts["catalog failed"],
    failed.has("passages") && texts["passages failed"],
    unanswered.some(({ id }) => id === null) && texts["no offers"],
    unanswered.some(({ id }) => id !== null) && texts["supplier failed"],
  );
}

function filterTexts(...texts: readonly (string | false | undefined)[]): string[] {
  return texts.filter((text): text is string => typeof text === "string" && text !== "");
}

function hasParts({ parts }: Finding): boolean {
  return parts.length > 0;
}

/** Returns whether a finding says something, or was at least understood. */
function isTelling(finding: Finding): boolean {
  return isFound(finding) || finding.unknownNumbers.length > 0 || finding.untold !== undefined || finding.isUnderstood;
}

function renderParagraph(finding: Finding, evidence: Evidence, facts: Facts): string {
  const { item, quotes, successors, untold } = finding;
  const { question, failed } = evidence;
  const shownKeys = new Set(evidence.parts.map(toPartKey));
  const parts = finding.parts.filter((part) => shownKeys.has(toPartKey(part))).map((part) => facts.addPart(part));
  const { texts } = evidence;
  const unknown = renderUnknownNumbers(finding, evidence, facts);
  const caveat = isOfWeight(question) ? undefined : findCaveat(finding);
  const aside = selectQuotedWords(finding.ignored.join(" "), evidence.translated);
  const text = filterTexts(
    untold !== undefined && !failed.has("passages")
      ? renderText(texts, item.models.length === 0 ? "no measure" : "no measure of the machine", {
          measure: findText(texts, `measure ${untold}`) ?? untold,
          machines: facts.addMachines(item.models),
        })
      : caveat && texts[caveat],
    parts.length > 0 && aside && renderText(texts, "left aside", { words: aside }),
    ...renderQuotes(finding, evidence, facts),
  );
  if (finding.choices)
    return renderText(texts, "choices", {
      machines: facts.addMachines(item.models),
      count: facts.addValue(finding.total),
      choices: facts.addValue(finding.choices.join("; ")),
    });
  if (parts.length === 0) {
    const isSaid =
      quotes.length > 0 ||
      (untold !== undefined &&
        (finding.nearest.length > 0 || item.terms.every((term) => isAskingTerm(term) || PART_WORDS.has(term))));
    const nothing =
      !isSaid && finding.unmet === undefined && renderNothingFound(finding, unknown.length > 0, evidence, facts);
    return filterTexts(...text, filterTexts(...unknown, nothing).join(" ")).join("\n");
  }
  const lines = parts.map((fact) => renderLine(fact, finding, evidence, facts));
  const lead = renderLead(finding, evidence, facts);
  const isReplacement = item.wanted === "replacement";
  const replacing = isReplacement ? [...successors, ...finding.parts] : successors;
  const news = parts.flatMap(({ part }) => renderReplacements(part, replacing, shownKeys, evidence, facts));
  const counts = { count: facts.addValue(parts.length), total: facts.addValue(finding.total) };
  const sentences = filterTexts(
    lines.length === 1 && !item.symptom
      ? `${lead}${lines.join("")}`
      : `${lead.trimEnd()}\n${lines.map((line) => `- ${line}`).join("\n")}`,
    finding.total > parts.length && renderText(texts, finding.isAtLeast ? "some of many" : "some of all", counts),
    renderTotal(finding, parts.length, evidence, facts),
    ...news,
    isReplacement &&
      news.length === 0 &&
      texts[finding.isReplacementUnknown ? "replacement unknown" : "no replacement"],
    SAYS.delivery.test(question.text) && !question.asksForOrder && texts["delivery unknown"],
    ...unknown,
  );
  return filterTexts(...text, sentences.join(lines.length === 1 ? " " : "\n")).join("\n");
}

/** Finds what the answer must say is missing where a part or a line of the text stands in for it. */
export function findCaveat({ item, parts, quotes }: Finding): TextName | undefined {
  const { text, wanted: intent } = item;
  const measure = findMeasure(text);
  const isNoPart = SAYS["no part"].test(text);
  if (quotes.length > 0) {
    const isTold = parts.length > 0 || measure || isNoPart || SAYS["part number"].test(text) || intent !== "part";
    return isTold || !PART_WORDS.has(findNoun(item) ?? "") ? undefined : "no part but text";
  }
  const isTold = measure !== undefined && parts.some(({ description }) => measure.told.test(description));
  const asks = isNoPart || measure?.isOfParts === true;
  return asks && parts.length > 0 && !isTold ? "not answered" : undefined;
}

function renderLead(
  { item, parts, quotes, isOneOfSeveral, unknownNumbers, isBeside }: Finding,
  { question: { text }, texts }: Pick<Evidence, "question" | "texts">,
  facts: Facts,
): string {
  const { models, mentions, unknownNames, symptom } = item;
  const machines = facts.addMachines(models);
  if (isBeside) return renderText(texts, "drawn with it", { machines });
  if (symptom?.isService) return renderText(texts, "service parts", { machines: models.length === 0 ? "" : machines });
  if (symptom) return renderText(texts, quotes.length > 0 ? "parts behind it" : "parts to check first");
  const listing = parts.filter((part) => fitsOne(listPartMachines(part), models));
  // `Is 24 999 11-S the muffler?` is asked of that number: not of a muffler that was found, or of a gasket for one.
  const words = extractPartTerms(item.text.split(ON_WHAT)[0]!).filter((term) => PART_WORDS.has(term));
  const score = ({ description, rows }: FoundPart) =>
    scoreRelevance({ terms: words }, { description, schema: rows[0]?.schema });
  const isAsSaid = (part: FoundPart): boolean => {
    const { coverage, isThing } = score(part);
    const isCalledSo = words.length === 0 || (coverage >= RELEVANT && isThing);
    return isCalledSo && mentions.some((mention) => mention.pnNorm.endsWith(part.pnNorm));
  };
  // An air filter is no oil filter; of what shares no word with it, another name may be meant.
  const isAnother = (part: FoundPart): boolean => {
    const { coverage } = score(part);
    return coverage > 0 && coverage < RELEVANT;
  };
  const isOneThing =
    !isOneOfSeveral && unknownNumbers.length === 0 && parts.every(isAsSaid) && !unknownNames.some(isUnknownMachine);
  const asksWhetherItFits = SAYS["does it fit"].test(text) && !/^(?:which|what)\b/i.test(text);
  if (listing.length === parts.length && isOneThing && asksWhetherItFits)
    return renderText(texts, "yes it fits", { machines });
  if (
    (listing.length === 0 || parts.every(isAnother)) &&
    parts.length === 1 &&
    models.length === 1 &&
    !isOneOfSeveral &&
    asksWhetherItFits
  )
    return renderText(texts, "no", { denial: "" });
  if (listing.length > 0) return renderText(texts, "for the machine", { machines });
  return parts.length > 1 ? texts["these match"] : "";
}

/** Renders one part, with the attribute that was asked for first. */
function renderLine(fact: PartFact, finding: Finding, { findings, texts }: Evidence, facts: Facts): string {
  const { id, places } = fact;
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
      : facts.list(places.length > MOST_EQUIPMENT ? [...everywhere, texts.others] : everywhere);
  const isInCatalog = fitsOne(fits, models);
  const slots = { part: `{${id}}`, offer: `{${id}.offer}`, places: placeList, machines: facts.addMachines(models) };
  if (models.length > 0 && !first && !isInCatalog)
    return renderText(texts, placeList === "" ? "not listed" : "not listed but elsewhere", slots);
  if (intent === "fitment" && models.length === 0)
    return renderText(texts, placeList === "" ? "fits nothing known" : "fits", slots);
  const manualPhrase =
    models.length > 0 || !first
      ? ""
      : renderText(texts, "of the manual", { machines: facts.addMachines(first.place.equipment) });
  const listed =
    models.length > 0 || catalogList === "" ? "" : renderText(texts, "listed for", { machines: catalogList });
  const where = first ? `{${id}.place${first.at}}${manualPhrase}` : listed;
  const more = otherPlaces.slice(0, MOST_PLACES).map(({ place, at: suffix }) => {
    return `{${id}.place${suffix}}${models.length === 1 ? "" : ` (${facts.addMachines(place.equipment)})`}`;
  });
  const also =
    more.length === 0 || intent === "offer" ? "" : ` ${renderText(texts, "also", { places: more.join("; ") })}`;
  const lacking = listUnlistedModels(fact, finding, findings);
  const end = `.${also}${lacking.length === 0 ? "" : ` ${renderText(texts, "not for the others", { machines: facts.addMachines(lacking) })}`}`;
  if (intent === "offer") {
    return `{${id}}: {${id}.offer}${where === "" ? "" : `; ${where}`}${end}`;
  }
  if (intent !== "quantity") return `{${id}}: ${where === "" ? "" : `${where}; `}{${id}.offer}${end}`;
  if (!first) return `{${id}}: {${id}.offer}${end} ${texts["count unknown"]}`;
  if (first.place.quantity === undefined) return `{${id}}: ${texts["as required"]}; ${where}; {${id}.offer}${end}`;
  const figure = first.place.schema === "" ? "" : `{${id}.figure${first.at}}, `;
  const counted = renderText(texts, "so many of it", { count: `{${id}.quantity${first.at}}`, part: `{${id}}` });
  return `${counted}: ${figure}{${id}.page${first.at}}${manualPhrase}; {${id}.offer}${end}`;
}

/** Lists the other models that were asked about and do not list the part. */
function listUnlistedModels(
  { part }: PartFact,
  { item, isOneOfSeveral }: Finding,
  findings: readonly Finding[],
): string[] {
  if (!isOneOfSeveral) return [];
  const alike = findings.filter((candidate) => candidate.item.text === item.text);
  const listing = [...item.models, ...listPartMachines(part)];
  return deduplicate(alike.flatMap((candidate) => candidate.item.models)).filter((model) => !fitsOne(listing, [model]));
}

function renderReplacements(
  part: FoundPart,
  successors: readonly FoundPart[],
  shownKeys: ReadonlySet<string>,
  evidence: Pick<Evidence, "texts">,
  facts: Facts,
): string[] {
  const pnNorm = part.replacedBy === undefined ? undefined : normalizePartNumber(part.replacedBy);
  const successor = successors.find((candidate) => candidate.pnNorm === pnNorm);
  if (!successor || !shownKeys.has(toPartKey(successor))) return [];
  const { id, places } = facts.addPart(successor);
  const page = places.length === 0 ? "" : `{${id}.page}; `;
  const otherSuccessors = successors.filter((candidate) => candidate !== successor);
  return [
    renderText(evidence.texts, "replaced by", {
      number: `{${facts.addPart(part).id}.number}`,
      part: `{${id}}`,
      page,
      offer: `{${id}.offer}`,
    }),
    ...renderReplacements(successor, otherSuccessors, shownKeys, evidence, facts),
  ];
}

function renderQuotes({ quotes }: Finding, { texts }: Pick<Evidence, "texts">, facts: Facts): string[] {
  const unsure = listModelNames(quotes.filter(({ isOneOfSeveral, page }) => isOneOfSeveral && page !== NO_PAGE));
  return [
    ...unsure.map((equipment) => renderText(texts, "several values", { machine: facts.addMachine(equipment) })),
    ...quotes.map((quote) => facts.addQuote(quote)),
  ];
}

/** @param isNumberSaid a number is said to be unknown already */
function renderNothingFound(finding: Finding, isNumberSaid: boolean, evidence: Evidence, facts: Facts): string {
  const { translated, texts } = evidence;
  const { item, elsewhere, nearest, isOneOfSeveral, isUnderstood } = finding;
  const { models, unknownNames, place, terms, text } = item;
  const words = selectQuotedWords(text, translated);
  const near =
    nearest.length === 0
      ? ""
      : ` ${renderText(texts, "nearest", { parts: nearest.map((part) => renderNearPart(part, evidence, facts)).join("; ") })}`;
  const isNamed = terms.some((term) => !/\d/.test(term));
  const isDenied = models.length > 0 && nearest.length === 0 && isPlainName(item);
  if (!isUnderstood && !isNumberSaid && unknownNames.length === 0 && !isDenied)
    return `${words === undefined ? "" : renderText(texts, "not understood", { words })}${near}`;
  if (models.length > 0) {
    const machines = facts.addMachines(models);
    if (place) return renderText(texts, "nothing at that place", { machines });
    if (isNumberSaid && !isNamed) return "";
    if (SAYS["no part"].test(text)) return renderText(texts, "manuals do not say", { machines });
    const { without = [] } = item.constraints ?? {};
    if (nearest.some(({ pnNorm }) => without.includes(pnNorm))) return renderText(texts, "no other", { machines });
    const isOne = (part: FoundPart): boolean =>
      scoreRelevance({ terms }, part).isThing && isCalled(terms, part.description);
    if (nearest.some(isOne)) return `${texts["none like that"]}${near}`;
    const otherMachines = facts.addMachines(elsewhere);
    const alternative =
      otherMachines === "" ? "" : ` ${renderText(texts, "listed elsewhere", { machines: otherMachines })}`;
    const denial =
      words === undefined || (isUnderstood && !isOneOfSeveral && evidence.question.language !== "en")
        ? renderText(texts, "no such part", { machines })
        : renderText(texts, "no such part by name", { machines, words });
    return `${denial}${renderUnreadPages(evidence, facts)}${near}${alternative}`;
  }
  if (unknownNames.length > 0 && (!isNumberSaid || isNamed)) {
    const denial = texts[evidence.failed.has("catalog") ? "machine unknown" : "machine not in the catalog"];
    return renderNoManual(denial, evidence, facts) + suggestMachines(unknownNames, evidence, facts);
  }
  if (place) return texts["place without machine"];
  if (isNumberSaid) return "";
  const nothing = isOneOfSeveral && words !== undefined ? renderText(texts, "nothing for", { words }) : texts.nothing;
  return `${nothing}${near}`;
}

/** Returns whether a thing alone is asked for, by a word or two: what no part is called is not there. */
function isPlainName({ terms, phrases, isOfSession, symptom, role }: Item): boolean {
  return terms.length <= 2 && phrases.length === 1 && isOfSession !== true && !symptom && !role;
}

/** Renders the numbers that nobody knows by their place, as an answer repeats no unknown number. */
function renderUnknownNumbers(finding: Finding, evidence: Evidence, facts: Facts): string[] {
  const { texts } = evidence;
  const { unknownNumbers, item, parts } = finding;
  const { numbersTyped, mentions, terms, unknownNames } = item;
  // What looks like a number is rather the name of an equipment if a part of it is asked for.
  if (parts.length === 0 && unknownNames.length > 0 && terms.some((term) => !/\d/.test(term))) return [];
  const isOnly = numbersTyped === 1;
  const ordinals = unknownNumbers.map(({ place }) => facts.addValue(`no. ${place}`));
  const lookedUp = new Set(mentions.map(({ number }) => number)).size;
  return filterTexts(
    unknownNumbers.length > 0 &&
      renderText(texts, isOnly ? "number unknown" : "numbers unknown", {
        total: facts.addValue(numbersTyped),
        places: facts.list(ordinals),
      }),
    ...unknownNumbers.map(({ near }, index) => {
      const parts = near.map((part) => renderNearPart(part, evidence, facts)).join(texts.or);
      const place = ordinals[index] ?? "";
      return parts !== "" && renderText(texts, isOnly ? "did you mean" : "for that did you mean", { parts, place });
    }),
    numbersTyped > lookedUp &&
      renderText(texts, "first numbers alone", {
        count: facts.addValue(lookedUp),
        total: facts.addValue(numbersTyped),
        rest: facts.addValue(numbersTyped - lookedUp),
      }),
  );
}

function renderNearPart(part: FoundPart, { texts }: Pick<Evidence, "texts">, facts: Facts): string {
  const [row] = part.rows;
  const where = row
    ? renderText(texts, "page of the manual", {
        page: facts.addValue(row.page),
        machine: facts.addMachine(row.equipment),
      })
    : texts["in the catalog"];
  return `${facts.addValue(formatPartName(part))}, ${where}`;
}

/** Renders that no manual is of a machine; or, if some do not say which machine they are for, that they may be. */
function renderNoManual(denial: string, { nameless, texts }: Evidence, facts: Facts): string {
  const titles = nameless.slice(0, MOST_PLACES).map((title) => facts.addMachine(title));
  if (titles.length === 0) return denial;
  return renderText(texts, titles.length === 1 ? "nameless manual" : "nameless manuals", {
    titles: facts.list(titles),
  });
}

/** Says that the denial is not the last word. */
function renderUnreadPages({ unreadPages, texts }: Evidence, facts: Facts): string {
  if (unreadPages === 0) return "";
  const name = unreadPages === 1 ? "unread page" : "unread pages";
  return ` ${renderText(texts, name, { count: facts.addValue(unreadPages) })}`;
}

function suggestMachines(unknownNames: readonly UnknownName[], { texts }: Evidence, facts: Facts): string {
  const near = deduplicate(unknownNames.flatMap((unknownName) => unknownName.near));
  const machines = facts.addMachines(near.slice(0, MOST_PLACES));
  return near.length === 0 ? "" : ` ${renderText(texts, "did you mean machine", { machines })}`;
}

function renderGuess({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  const isAnswered = (model: string): boolean =>
    findings.length === 0 || findings.some(({ item }) => item.models.includes(model));
  const machines = question.guessed.filter(isAnswered).slice(0, MOST_EQUIPMENT);
  // One is named by the answer itself.
  if (machines.length < 2) return undefined;
  return renderText(texts, "which of the machines", {
    machines: machines.map((model) => facts.addMachine(model)).join(", "),
  });
}

function renderKnownMachines(names: readonly string[], { texts }: Evidence, facts: Facts): string {
  if (names.length === 0) return texts["no manuals"];
  const shownMachines = names.slice(0, MOST_LISTED_MACHINES).map((name) => facts.addMachine(name));
  if (names.length > shownMachines.length) shownMachines.push(texts.others);
  return renderText(texts, "known machines", {
    count: facts.addValue(names.length),
    machines: shownMachines.join(", "),
  });
}

/** Selects the words that may name something, or else the first words; none with a digit. */
function selectQuotedWords(text: string, but: ReadonlySet<string> = new Set()): string | undefined {
  const words = text
    .split(" ")
    .filter((word) => !/\d/.test(word) && /\p{L}/u.test(word) && !but.has(word.toLowerCase()));
  const telling = words.filter((word) => extractPartTerms(word).some((term) => !isAskingTerm(term)));
  return cleanTitle((telling.length > 0 ? telling : words).slice(0, MOST_QUOTED_WORDS).join(" "));
}
