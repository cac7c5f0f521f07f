import { findingsTold, paragraphsOf, unsaidOf, type Evidence } from "../desk/compose.ts";
import type { Facts } from "../desk/facts.ts";
import { isFound, type Finding } from "../desk/retrieval.ts";
import { FACTS_ASKED } from "../desk/vocabulary.ts";

/**
 * What a model's sentences leave out, as paragraphs with placeholders: with them an answer says all that it would say
 * without the model. What they do not answer as it was asked is said whole; beside a part that they choose, the others.
 * @param sentences with their placeholders
 */
export function leftOutOf(evidence: Evidence, sentences: string, facts: Facts): string[] {
  const { text } = evidence.question;
  const isSaid = (reference: string): boolean => sentences.includes(`{${reference}`);
  return findingsTold(evidence).flatMap((finding) => {
    const { item, parts, quotes, successors } = finding;
    const whole = paragraphsOf([finding], evidence, facts);
    if (isForServer(finding, facts)) return whole;
    if (quotes.length > 0) return quotes.every((quote) => sentences.includes(facts.quote(quote))) ? [] : whole;
    const all = [...parts, ...successors].map((part) => facts.part(part));
    const named = all.filter(({ id }) => isSaid(`${id}}`) || isSaid(`${id}.`));
    const others = all.filter((part) => !named.includes(part));
    const isForAll =
      item.mentions.length + successors.length > 0 || item.isPlural || item.isList || item.models.length === 0;
    const asked = FACTS_ASKED.flatMap(({ fact, asked: asks }) => (asks.test(text) ? [fact] : []));
    if (item.wanted === "offer") asked.push("price", "stock");
    if (item.wanted === "quantity" || (item.wanted === "page" && !asked.includes("figure"))) asked.push(item.wanted);
    const isAnswered = named.every(({ id, part }) =>
      [...asked, ...(part.replacedBy === undefined ? [] : ["replacedBy"])].every((fact) => isSaid(`${id}.${fact}`)),
    );
    if (named.length === 0 || (isForAll && others.length > 0) || !isAnswered) return whole;
    if (others.length === 0) return [];
    return [`Others that match: ${others.map(({ id }) => `{${id}}, {${id}.offer}`).join("; ")}.`];
  });
}

/**
 * Whether it is for the server alone to say: that there is none, or no such number; what no manual says, and what a
 * symptom comes from; whether one machine's part fits another, and where else it is; sums over its places; that a part
 * is not made any more.
 */
function isForServer(finding: Finding, facts: Facts): boolean {
  const { item, parts, successors, unknownNumbers } = finding;
  const { mentions, models, numbersTyped, wanted, symptom } = item;
  const told = parts.map((part) => facts.part(part));
  const places = told
    .flatMap((part) => part.places)
    .filter(({ equipment }) => models.length === 0 || equipment.some((each) => models.includes(each)));
  return (
    !isFound(finding) ||
    symptom !== undefined ||
    unsaidOf(finding) !== undefined ||
    wanted === "fitment" ||
    (mentions.length > 0 && models.length > 0) ||
    unknownNumbers.length > 0 ||
    numbersTyped > new Set(mentions.map(({ number }) => number)).size ||
    (wanted === "replacement" && successors.length === 0) ||
    ((wanted === "quantity" || wanted === "page") && places.length > 1) ||
    told.some(({ offer }) => offer.status === "discontinued")
  );
}
