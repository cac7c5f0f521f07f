import type { Evidence } from "../desk/compose.ts";
import type { Facts } from "../desk/facts.ts";
import { isFound, type Finding } from "../desk/retrieval.ts";
import { FACTS_ASKED } from "../desk/words.ts";

/**
 * The findings that a model's sentences do not answer as they were asked: with them an answer says all that it would
 * say without the model.
 * @param sentences with their placeholders
 */
export function leftOutOf({ findings, question }: Evidence, sentences: string, facts: Facts): Finding[] {
  const isSaid = (reference: string): boolean => sentences.includes(`{${reference}`);
  return findings.filter((finding) => {
    const { item, parts, quotes, successors } = finding;
    const { mentions, models, wanted, symptom } = item;
    // Whether one machine's part fits another, where else it is, and that there is none is for the server to say.
    if (!isFound(finding) || symptom || wanted === "fitment" || (mentions.length > 0 && models.length > 0)) return true;
    if (quotes.length > 0) return !quotes.every((quote) => sentences.includes(facts.quote(quote)));
    if (wanted === "replacement" && successors.length === 0) return true;
    const ids = [...parts, ...successors].map((part) => facts.part(part).id);
    const named = ids.filter((id) => isSaid(`${id}}`) || isSaid(`${id}.`));
    const needed = mentions.length > 0 ? ids : named;
    return (
      named.length === 0 ||
      needed.some((id) => !factsAskedFor(finding, question.text).every((fact) => isSaid(`${id}.${fact}`))) ||
      (mentions.length > 0 && named.length < ids.length)
    );
  });
}

/** Attributes of a part that the question is for. */
function factsAskedFor({ item: { wanted } }: Finding, text: string): string[] {
  const facts = FACTS_ASKED.flatMap(({ fact, asked }) => (asked.test(text) ? [fact] : []));
  if (wanted === "quantity" || (wanted === "page" && !facts.includes("figure"))) return [wanted, ...facts];
  return facts;
}
