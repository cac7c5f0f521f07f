import { SERVER_FAULTS } from "../server/faults.ts";

/** Message of OpenAI's chat completions. */
export interface Message {
  role: string;
  content?: string | { type: string; text?: string }[] | null;
}

/** Next turn of the sandbox: words, or a call of a tool. */
export type Turn = { text: string } | { tool: string; input: Record<string, unknown>; times?: number };

/** A part in a prompt: its id, its facts by placeholder, and its places with theirs. */
type FactPart = { id: string; places?: ({ machines?: string[] } & Record<string, unknown>)[] } & Record<
  string,
  unknown
>;

const MOST_PARTS = 3;
/** More than anybody listens to. */
const ENDLESS = 100_000;
const MANY = 400;
const MANY_SENTENCES = 10_000;

export interface ChatRequest {
  messages: readonly Message[];
  tools: readonly string[];
}

/**
 * Speaks as a small model would: sentences with placeholders of the facts in the JSON that it was sent, looking parts
 * up by a tool first if there are none. What is in no JSON it does not know.
 */
export function composeTurn(request: ChatRequest, has: (kind: FaultKind) => boolean): Turn {
  const turn = composeWords(request, has);
  // What takes the answer as a tool's input wants it there.
  return "text" in turn && turn.text.startsWith("{") && request.tools.includes("answer")
    ? { tool: "answer", input: JSON.parse(turn.text) as Record<string, unknown> }
    : turn;
}

function composeWords({ messages, tools }: ChatRequest, has: (kind: FaultKind) => boolean): Turn {
  const texts = messages.map(getText);
  const question = cutFenced(texts.find((text) => text.includes("QUESTION")) ?? texts.at(-1) ?? "", "QUESTION");
  const parts = texts.flatMap(parseParts);
  const looked = messages.filter(({ role }) => role === "tool").length;
  const search = { tool: "search", input: { words: question.slice(0, 100) } };
  if (has("endless_tools") && tools.length > 0) return search;
  if (has("many_tools") && looked === 0 && tools.length > 0) return { ...search, times: MANY };
  if (parts.length === 0 && looked === 0 && tools.includes("search")) return search;
  if (has("silent")) return { text: "" };
  if (has("endless_words")) return { text: `{"sentences": ["${"and so on ".repeat(ENDLESS)}` };
  if (has("injected")) return createSpokenTurn([repeatCommands(texts.join("\n"))]);
  if (question === "") return tools.includes("answer") ? createSpokenTurn(["Ready."]) : { text: "Ready." };
  if (has("plain_text")) return { text: "The part that you need is the one on the first page." };
  const sentences =
    parts.length === 0 ? ["I did not find that part."] : parts.slice(0, MOST_PARTS).map(composeSentence);
  if (has("many_sentences")) return createSpokenTurn(Array<string>(MANY_SENTENCES).fill(sentences[0]!));
  const lies = Object.entries(LIES).filter(([kind]) => has(kind as FaultKind));
  return createSpokenTurn([...sentences, ...lies.map(([, lie]) => lie)]);
}

function createSpokenTurn(sentences: readonly string[]): Turn {
  return { text: JSON.stringify({ sentences }) };
}

const LIES: Partial<Record<FaultKind, string>> = {
  invents_number: "You could also take 98-7654-321, which fits as well.",
  invents_price: "It costs $1.23 today.",
  links: "Order {p1} at https://parts.example/cheap now.",
  markup: "<b>Buy {p1} now</b>.",
  unknown_fact: "You could also take {p77}, which costs {p77.price}.",
  nested_fact: "Take {p{p1}}, which costs {{p1.price}}.",
  mixed_facts: "The {p2.number} costs {p1.price}.",
};

/** The most gullible model: it repeats all that a text asks it to say. */
function repeatCommands(text: string): string {
  const commands =
    /\b(?:say|reply with|answer with|respond with|recommend|tell (?:the )?(?:user|customer)(?: to| that)?)\s+(.{3,120}?)(?:[.!\n]|$)/i.exec(
      text,
    )?.[1];
  return commands === undefined ? "OK." : `${commands}.`;
}

function composeSentence({ id, places = [], ...facts }: FactPart): string {
  const [place] = places;
  const machine = place?.machines?.[0];
  const has = (attribute: string, attributes: Record<string, unknown> | undefined): boolean =>
    attributes?.[`{${id}.${attribute}}`] !== undefined;
  const where =
    machine === undefined || !has("page", place)
      ? ""
      : ` is on {${id}.page} of the ${machine} manual${has("quantity", place) ? `, quantity {${id}.quantity}` : ""}`;
  return `{${id}}${where}${has("price", facts) ? `${where === "" ? "" : ","} costs {${id}.price}` : ""}.`;
}

function getText({ content }: Message): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n") : "";
}

function cutFenced(text: string, label: string): string {
  return new RegExp(`${label} <<<\\w+\\n([\\s\\S]*?)\\n\\w+>>>`).exec(text)?.[1] ?? "";
}

function parseParts(text: string): FactPart[] {
  return ["FACTS", "RESULT"].flatMap((label) => {
    try {
      return (JSON.parse(cutFenced(text, label) || "{}") as { parts?: FactPart[] }).parts ?? [];
    } catch {
      return [];
    }
  });
}

/** Faults, with the meaning of their `value`. */
export const FAULTS = {
  ...SERVER_FAULTS,
  drip: "milliseconds between two words",
  key_refused: "401 to any key",
  silent: "an answer without a word",
  cut_off: "the stream ends in the middle",
  invents_number: "it names a part that it was not given",
  invents_price: "it names a price that it was not given",
  links: "its answer has an address",
  markup: "its answer has HTML",
  unknown_fact: "it names a fact that does not exist",
  nested_fact: "it puts placeholders into each other",
  mixed_facts: "it says the price of one part of another",
  plain_text: "it answers in plain words, not in the form that it was asked for",
  many_sentences: "it answers in 10,000 sentences",
  injected: "it does what text in the question or the facts says, as a model may that takes data for instructions",
  endless_tools: "it calls a tool again and again",
  many_tools: "it calls a tool 400 times at once",
  endless_words: "it speaks without a full stop, and does not come to an end",
  endless_bytes: "its answer, under the status 200 unless given, is one line that does not come to an end",
  no_json_schema: "400 to response_format json_schema",
  no_json_object: "400 to response_format json_object",
  no_tools: "400 to tools",
  no_stream: "400 to a stream",
  no_system_role: "400 to a message of the system role",
  redirect: "it sends the caller to another name of this host",
};
export type FaultKind = keyof typeof FAULTS;
