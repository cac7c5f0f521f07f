import { findingsTold, type Evidence } from "../desk/compose.ts";
import type { Facts } from "../desk/facts.ts";
import { isFound, type Finding } from "../desk/retrieval.ts";
import { FACTS_ASKED, SAYS } from "../desk/words.ts";

/**
 * The findings that a model's sentences do not answer as they were asked: with them an answer says all that it would
 * say without the model.
 * @param sentences with their placeholders
 */
export function leftOutOf(evidence: Evidence, sentences: string, facts: Facts): Finding[] {
  const { text } = evidence.question;
  const isSaid = (reference: string): boolean => sentences.includes(`{${reference}`);
  return findingsTold(evidence).filter((finding) => {
    const { item, parts, quotes, successors } = finding;
    if (isForServer(finding, facts)) return true;
    if (quotes.length > 0) return !quotes.every((quote) => sentences.includes(facts.quote(quote)));
    const all = [...parts, ...successors].map((part) => facts.part(part));
    const named = all.filter(({ id }) => isSaid(`${id}}`) || isSaid(`${id}.`));
    // Of several that a singular may mean, a model chooses.
    const needed = item.mentions.length > 0 || item.isPlural || item.isList ? all : named;
    return (
      named.length === 0 ||
      named.length < needed.length ||
      needed.some(({ id, part }) => {
        const asked = [...factsAskedFor(finding, text), ...(part.replacedBy === undefined ? [] : ["replacedBy"])];
        return !asked.every((fact) => isSaid(`${id}.${fact}`));
      })
    );
  });
}

/**
 * Whether it is for the server alone to say: that there is none, or no such number; what no part is, and what a symptom
 * comes from; whether one machine's part fits another, and where else it is; sums over its places; that a part is not
 * made any more.
 */
function isForServer(finding: Finding, facts: Facts): boolean {
  const { item, parts, successors, unknownNumbers } = finding;
  const { text, mentions, models, numbersTyped, wanted, symptom } = item;
  const isOnModels = ({ equipment }: { equipment: string[] }): boolean =>
    models.length === 0 || equipment.some((each) => models.includes(each));
  const told = parts.map((part) => facts.part(part));
  const places = told.flatMap((part) => part.places.filter(isOnModels));
  return (
    !isFound(finding) ||
    symptom !== undefined ||
    SAYS["no part"].test(text) ||
    wanted === "fitment" ||
    (mentions.length > 0 && models.length > 0) ||
    unknownNumbers.length > 0 ||
    numbersTyped > new Set(mentions.map(({ number }) => number)).size ||
    (wanted === "replacement" && successors.length === 0) ||
    ((wanted === "quantity" || wanted === "page") && places.length > 1) ||
    told.some(({ offer }) => offer.status === "discontinued")
  );
}

/** Attributes of a part that the question is for. */
function factsAskedFor({ item: { wanted } }: Finding, text: string): string[] {
  const facts = FACTS_ASKED.flatMap(({ fact, asked }) => (asked.test(text) ? [fact] : []));
  if (wanted === "offer") return [...facts, "price", "stock"];
  if (wanted === "quantity" || (wanted === "page" && !facts.includes("figure"))) return [wanted, ...facts];
  return facts;
}
