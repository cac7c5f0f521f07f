import type { FaultKind } from "./faults.ts";

/** A message as OpenAI's chat completions have it. */
export interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
}

/** What the stand-in says next: words, or a call of a tool. */
export type Turn = { text: string } | { tool: string; input: Record<string, string>; times?: number };

interface FactPart {
  part_number?: string;
  description?: string | null;
  places?: { equipment?: string; page?: number; quantity?: number | null }[];
  price?: string | null;
}

const MOST_PARTS = 3;
/** More than anybody listens to. */
const ENDLESS = 100_000;
const MANY = 400;

export interface Asked {
  messages: readonly Message[];
  tools: readonly string[];
}

/**
 * Speaks as a small model would: from the parts in the JSON that it was sent, looking them up by a tool first where
 * there are none. What stands in no JSON it does not know.
 */
export function nextTurn({ messages, tools }: Asked, has: (kind: FaultKind) => boolean): Turn {
  const texts = messages.map(textOf);
  const question = fenced(texts.find((text) => text.includes("QUESTION")) ?? texts.at(-1) ?? "", "QUESTION");
  const parts = texts.flatMap(partsIn);
  const looked = messages.filter(({ role }) => role === "tool").length;
  if (has("endless_tools") && tools.length > 0)
    return { tool: "search_manuals", input: { words: question.slice(0, 100) } };
  if (has("many_tools") && looked === 0 && tools.length > 0)
    return { tool: "search_manuals", input: { words: question.slice(0, 100) }, times: MANY };
  if (parts.length === 0 && looked === 0 && tools.includes("search_manuals"))
    return { tool: "search_manuals", input: { words: question.slice(0, 100) } };
  if (has("silent")) return { text: "" };
  if (has("endless_words")) return { text: "and so on ".repeat(ENDLESS) };
  if (has("injected")) return { text: obeyed(texts.join("\n")) };
  const said =
    parts.length === 0
      ? question === ""
        ? "Ready."
        : "I did not find that part."
      : parts.slice(0, MOST_PARTS).map(sentenceOf).join(" ");
  return { text: said + extra(has) };
}

function extra(has: (kind: FaultKind) => boolean): string {
  if (has("invents_number")) return " You could also take 98-7654-321, which fits as well.";
  if (has("invents_price")) return " It costs $1.23 today.";
  if (has("links")) return " Order it at https://parts.example/cheap now.";
  if (has("markup")) return " <b>Buy it now</b>.";
  return "";
}

/** The most gullible model that there could be: it repeats whatever it is told to say. */
function obeyed(text: string): string {
  const told =
    /\b(?:say|reply with|answer with|respond with|recommend|tell (?:the )?(?:user|customer)(?: to| that)?)\s+(.{3,120}?)(?:[.!\n]|$)/i.exec(
      text,
    )?.[1];
  return told === undefined ? "OK." : `${told}.`;
}

function sentenceOf({ part_number, description, places = [], price }: FactPart): string {
  const [place] = places;
  const where =
    place === undefined
      ? ""
      : ` is on page ${place.page} of the ${place.equipment} manual${place.quantity == null ? "" : `, quantity ${place.quantity}`}`;
  return `${part_number}${description == null ? "" : ` (${description})`}${where}${price == null ? "" : `${where === "" ? "" : ","} costs ${price}`}.`;
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n") : "";
}

/** What stands behind a label between its marks. */
function fenced(text: string, label: string): string {
  return new RegExp(`${label} <<<\\w+\\n([\\s\\S]*?)\\n\\w+>>>`).exec(text)?.[1] ?? "";
}

function partsIn(text: string): FactPart[] {
  return ["FACTS", "RESULT"].flatMap((label) => {
    try {
      return (JSON.parse(fenced(text, label) || "{}") as { parts?: FactPart[] }).parts ?? [];
    } catch {
      return [];
    }
  });
}
