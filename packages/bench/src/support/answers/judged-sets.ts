import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eventually } from "../../../../../test/support/eventually.ts";
import type { System } from "../../../../../test/support/system.ts";
import { printTable } from "../table.ts";
import { askJudged, readJudgedQuestions, type JudgedOutcome, type Verdict } from "./judged-questions.ts";
import { READ_WITHIN_MS, uploadManual } from "./manual-system.ts";

const AIM_RIGHT = 0.92;
/** The best first. */
export const VERDICTS: readonly Verdict[] = ["right", "refused", "wrong"];
const OWN = fileURLToPath(new URL("./desk-questions.tsv", import.meta.url));
const OF_OTHERS =
  process.env.JUDGED_QUESTIONS ??
  fileURLToPath(new URL("../../../../shared/corpus/desk-questions.tsv", import.meta.url));

/** Both sets: that of the repository, and one by somebody who has not read the code, where it is there. */
export const JUDGED_SETS = [
  { name: "by others", file: OF_OTHERS },
  { name: "our own", file: OWN },
].filter(({ file }) => existsSync(file));

export interface JudgedSet {
  name: string;
  outcomes: JudgedOutcome[];
}

/** The sets are about the sample manuals, of which a fresh start has read all but one. */
export async function askJudgedSets(system: System): Promise<JudgedSet[]> {
  const third = readFileSync(fileURLToPath(new URL("../../../../sandbox/samples/manuals/third.pdf", import.meta.url)));
  await uploadManual(system, "third.pdf", third);
  for (const model of ["GT-2254", "CH-740S", "HM-722D"])
    await eventually(async () => {
      const { body } = await system.request("ai", "GET", `/api/ai/equipment?model=${model}`);
      return (body as { parts: unknown[] }).parts.length > 0;
    }, READ_WITHIN_MS);
  const sets: JudgedSet[] = [];
  for (const { name, file } of JUDGED_SETS)
    sets.push({ name, outcomes: await askJudged(system, readJudgedQuestions(file)) });
  return sets;
}

export function countVerdicts(outcomes: readonly { verdict: Verdict }[], verdict: Verdict): number {
  return outcomes.filter((outcome) => outcome.verdict === verdict).length;
}

/** Prints a set kind by kind. @returns whether its aims hold */
export function tellJudgedSet({ name, outcomes }: JudgedSet, isFailing: boolean): boolean {
  const kinds = [...Map.groupBy(outcomes, ({ asked: { kind } }) => kind), ["all", outcomes] as const];
  printTable(
    `Judged questions, ${name}`,
    ["", "questions", ...VERDICTS],
    kinds.map(([kind, kindOutcomes]) => [
      kind,
      String(kindOutcomes.length),
      ...VERDICTS.map((verdict) => String(countVerdicts(kindOutcomes, verdict))),
    ]),
  );
  const [right, wrong] = [countVerdicts(outcomes, "right"), countVerdicts(outcomes, "wrong")];
  const holds = right >= AIM_RIGHT * outcomes.length && wrong === 0;
  console.log(
    `\nRight ${right} of ${outcomes.length}, wrong ${wrong} (aim: ${AIM_RIGHT * 100} % right, none wrong): ${holds ? "holds" : "does not hold"}.`,
  );
  if (!isFailing) return holds;
  for (const { asked, reply, verdict, lacks } of outcomes)
    if (verdict !== "right")
      console.log(
        `\n${asked.id} ${asked.kind} ${verdict}: ${asked.question}\n  lacks ${lacks.join("; ")}\n  ${reply.answer}\n  ${reply.parts.map(({ part_number, quantity }) => `${part_number} x${quantity}`).join(", ")}`,
      );
  return holds;
}
