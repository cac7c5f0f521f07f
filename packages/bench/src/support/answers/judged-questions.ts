import { readFileSync } from "node:fs";
import { normalize } from "../generators/manuals/number-families.ts";
import type { System } from "../../../../../test/support/system.ts";

/** The requirements of an answer, as the columns of the set say them. */
interface Want {
  /** One of these numbers is among the parts. */
  parts_any?: string[];
  parts_all?: string[];
  parts_none?: true;
  /** These numbers, and no others. */
  parts_only?: string[];
  answer_regex?: string;
  answer_not_regex?: string;
  /** By part number. */
  quantity?: Record<string, number>;
  /** A page that a link of the answer opens, or that its text names. */
  page?: number;
  /** By part number, as `parts` has it. */
  description?: Record<string, string>;
  /** Each part that can be bought has its link. */
  store_links?: true;
  action?: { type: string; part_number?: string; quantity?: number };
}

interface JudgedQuestion {
  id: string;
  kind: string;
  session: string;
  question: string;
  want: Want;
}

interface Told {
  answer: string;
  parts: readonly {
    part_number: string;
    description: string;
    quantity: number | null;
    pdf_link: string | null;
    store_link?: string;
  }[];
  actions?: readonly { type: string; body?: { item: { partNumber: string; quantity: number } } }[];
}

export type Verdict = "right" | "refused" | "wrong";

export interface JudgedOutcome {
  asked: JudgedQuestion;
  reply: Told;
  verdict: Verdict;
  lacks: string[];
  milliseconds: number;
}

/**
 * Questions by somebody who has not read the code: tab-separated, with a header (id, kind, session, question, want).
 */
export function readJudgedQuestions(file: string): JudgedQuestion[] {
  const [, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const [id, kind, session, question, want] = line.split("\t") as [string, string, string, string, string];
    return { id, kind, session, question, want: JSON.parse(want) as Want };
  });
}

/** Asks them in their order; the rows of one session under one X-Session-Id. */
export async function askJudged(system: System, questions: readonly JudgedQuestion[]): Promise<JudgedOutcome[]> {
  const run = Date.now();
  const outcomes: JudgedOutcome[] = [];
  for (const judgedQuestion of questions) {
    const startedAt = performance.now();
    const { status, body, text } = await system.request("ai", "POST", "/api/ai/query", {
      body: { query: judgedQuestion.question },
      ...(judgedQuestion.session === "" ? {} : { sessionId: `judged-${run}-${judgedQuestion.session}-session` }),
    });
    const milliseconds = performance.now() - startedAt;
    if (status !== 200)
      throw new Error(
        `"${judgedQuestion.question}" is answered ${status}: ${text.slice(0, 300)}\n${system.output().slice(-3_000)}`,
      );
    const reply = body as Told;
    const lacks = listLacks(judgedQuestion.want, reply);
    const verdict = lacks.length === 0 ? "right" : reply.parts.length === 0 ? "refused" : "wrong";
    outcomes.push({ asked: judgedQuestion, reply, verdict, lacks, milliseconds });
  }
  return outcomes;
}

function listLacks(want: Want, { answer, parts, actions = [] }: Told): string[] {
  const numbers = new Set(parts.map(({ part_number }) => normalize(part_number)));
  const has = (number: string): boolean => numbers.has(normalize(number));
  const findQuantity = (number: string): number | null | undefined =>
    parts.find(({ part_number }) => normalize(part_number) === normalize(number))?.quantity;
  const pages = parts.map(({ pdf_link }) => Number(/#page=(\d+)$/.exec(pdf_link ?? "")?.[1]));
  return [
    ...(want.parts_any && !want.parts_any.some(has) ? [`one of ${want.parts_any.join(", ")}`] : []),
    ...(want.parts_all ?? []).filter((number) => !has(number)),
    ...(want.parts_only && (numbers.size !== want.parts_only.length || !want.parts_only.every(has))
      ? [`only ${want.parts_only.join(", ")}`]
      : []),
    ...(want.store_links && !parts.some(({ store_link }) => store_link !== undefined) ? ["store links"] : []),
    ...Object.entries(want.description ?? {})
      .filter(
        ([number, text]) =>
          !parts.some((part) => normalize(part.part_number) === normalize(number) && part.description === text),
      )
      .map(([number, text]) => `${number} described as ${text}`),
    ...(want.action && !actions.some((action) => isWanted(want.action!, action))
      ? [`action ${JSON.stringify(want.action)}`]
      : []),
    ...(want.parts_none && parts.length > 0 ? ["no part"] : []),
    ...(want.answer_regex !== undefined && !new RegExp(want.answer_regex, "i").test(answer)
      ? [`/${want.answer_regex}/`]
      : []),
    ...(want.answer_not_regex !== undefined && new RegExp(want.answer_not_regex, "i").test(answer)
      ? [`not /${want.answer_not_regex}/`]
      : []),
    ...Object.entries(want.quantity ?? {})
      .filter(([number, count]) => findQuantity(number) !== count)
      .map(([number, count]) => `${count} of ${number}`),
    ...(want.page !== undefined && !pages.includes(want.page) && !new RegExp(`page ${want.page}\\b`, "i").test(answer)
      ? [`page ${want.page}`]
      : []),
  ];
}

type Action = NonNullable<Told["actions"]>[number];

function isWanted({ type, part_number, quantity }: NonNullable<Want["action"]>, action: Action): boolean {
  const line = action.body?.item;
  return (
    action.type === type &&
    (part_number === undefined || (line !== undefined && normalize(line.partNumber) === normalize(part_number))) &&
    (quantity === undefined || line?.quantity === quantity)
  );
}
