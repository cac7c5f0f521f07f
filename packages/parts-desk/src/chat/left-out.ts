import { FACT_PATTERNS } from "@partline/parts-language/words";
import { selectFindings, renderParagraphs, findCaveat } from "../compose.ts";
import type { Evidence } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { isFound, type Finding } from "../finding.ts";

/**
 * Lists what a model's sentences leave out, as paragraphs with placeholders: with them an answer says all that it would
 * say without the model. What they do not answer as it was asked is said whole; beside a part that they choose, the
 * others.
 * @param sentences with their placeholders
 */
export function listOmissions(evidence: Evidence, sentences: string, facts: Facts): string[] {
  const { text } = evidence.question;
  const isSaid = (reference: string): boolean => sentences.includes(`{${reference}`);
  return selectFindings(evidence).flatMap((finding) => {
    const { item, parts, quotes, successors } = finding;
    const paragraphs = renderParagraphs([finding], evidence, facts);
    if (isForServer(finding, facts)) return paragraphs;
    if (quotes.length > 0) return quotes.every((quote) => sentences.includes(facts.addQuote(quote))) ? [] : paragraphs;
    const partFacts = [...parts, ...successors].map((part) => facts.addPart(part));
    const mentionedFacts = partFacts.filter(({ id }) => isSaid(`${id}}`) || isSaid(`${id}.`));
    const otherFacts = partFacts.filter((part) => !mentionedFacts.includes(part));
    const isForAll =
      item.mentions.length + successors.length > 0 || item.isPlural || item.isList || item.models.length === 0;
    const requestedFacts = FACT_PATTERNS.flatMap(({ fact, asked: asks }) => (asks.test(text) ? [fact] : []));
    if (item.wanted === "offer") requestedFacts.push("price", "stock");
    if (item.wanted === "quantity" || (item.wanted === "page" && !requestedFacts.includes("figure")))
      requestedFacts.push(item.wanted);
    const isAnswered = mentionedFacts.every(({ id, part }) =>
      [...requestedFacts, ...(part.replacedBy === undefined ? [] : ["replacedBy"])].every((fact) =>
        isSaid(`${id}.${fact}`),
      ),
    );
    if (mentionedFacts.length === 0 || (isForAll && otherFacts.length > 0) || !isAnswered) return paragraphs;
    if (otherFacts.length === 0) return [];
    return [`Others that match: ${otherFacts.map(({ id }) => `{${id}}, {${id}.offer}`).join("; ")}.`];
  });
}

/**
 * Whether it is for the server alone to say: that there is none, or no such number; what no manual says, and what a
 * symptom comes from; whether one machine's part fits another, and where else it is; sums over its places; that a part
 * is not made any more.
 */
function isForServer(finding: Finding, facts: Facts): boolean {
  const { item, parts, successors, unknownNumbers } = finding;
  const { mentions, models, numbersTyped, wanted: intent, symptom } = item;
  const partFacts = parts.map((part) => facts.addPart(part));
  const places = partFacts
    .flatMap((part) => part.places)
    .filter(({ equipment }) => models.length === 0 || equipment.some((name) => models.includes(name)));
  return (
    !isFound(finding) ||
    symptom !== undefined ||
    findCaveat(finding) !== undefined ||
    intent === "fitment" ||
    (mentions.length > 0 && models.length > 0) ||
    unknownNumbers.length > 0 ||
    numbersTyped > new Set(mentions.map(({ number }) => number)).size ||
    (intent === "replacement" && successors.length === 0) ||
    ((intent === "quantity" || intent === "page") && places.length > 1) ||
    partFacts.some(({ offer }) => offer.status === "discontinued")
  );
}
