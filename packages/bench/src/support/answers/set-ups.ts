import { prepareEmbeddings } from "@partline/parts-search";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startTestChatModel } from "../../../../../test/support/chat-sandbox.ts";
import { startSystem, type System } from "../../../../../test/support/system.ts";
import { printTable } from "../table.ts";
import { openCassette } from "./cassette.ts";
import { askGeneratedSet, judgeAnswer, type GeneratedSet } from "./generated-set.ts";
import type { Verdict } from "./judged-questions.ts";
import { askJudgedSets, countVerdicts, tellJudgedSet, VERDICTS, type JudgedSet } from "./judged-sets.ts";

const MODEL_DIR = fileURLToPath(new URL("../../../data/embeddings", import.meta.url));
const CASSETTE = "desk-answers.cassette.jsonl";

/** Models that the desk has, as settings of the system. */
interface SetUp {
  name: string;
  env: Record<string, string>;
}

export const WORDS_ALONE: SetUp = { name: "words alone", env: {} };

interface Answers extends SetUp {
  judged: JudgedSet[];
  /** The truth of generated manuals, if there are any. */
  generated?: GeneratedSet;
}

/** Words alone first, then with the sentence model, with the sandbox's chat model, and with both. */
export async function openSetUps(): Promise<{ setUps: SetUp[]; close(): Promise<void> }> {
  const folder = process.env.EMBEDDINGS_MODEL_DIR ?? MODEL_DIR;
  prepareEmbeddings(folder);
  const chat = await startTestChatModel();
  const embeddings = { EMBEDDINGS_MODEL_DIR: folder };
  // What is judged are its words, however busy the machine is.
  const model = { ...chat.env, LLM_TIMEOUT_SECONDS: "30" };
  return {
    setUps: [
      WORDS_ALONE,
      { name: "sentence model", env: embeddings },
      { name: "chat model", env: model },
      { name: "both", env: { ...embeddings, ...model } },
    ],
    close: () => chat.close(),
  };
}

/** Asks a fresh system. @param manuals how many are generated; none are the judged questions alone */
export function askSetUp(setUp: SetUp, manuals: number): Promise<Answers> {
  return withSystem(setUp.env, async (system) => ({
    ...setUp,
    judged: await askJudgedSets(system),
    ...(manuals > 0 && { generated: await askGeneratedSet(system, manuals) }),
  }));
}

async function withSystem<T>(env: Record<string, string>, use: (system: System) => Promise<T>): Promise<T> {
  const system = await startSystem({ env });
  const end = (): void => {
    for (const child of system.processes) child.kill("SIGKILL");
    rmSync(system.dataDir, { recursive: true, force: true });
  };
  process.once("exit", end);
  try {
    return await use(system);
  } finally {
    await system.stop();
    process.off("exit", end);
    end();
  }
}

interface Outcome {
  question: string;
  verdict: Verdict;
  answer: string;
}

/** Set by set, each in the order of its questions. */
function listOutcomes({ judged, generated }: Answers): { name: string; outcomes: Outcome[] }[] {
  return [
    ...judged.map(({ name, outcomes }) => ({
      name,
      outcomes: outcomes.map(({ asked, reply: { answer }, verdict }) => ({
        question: asked.question,
        verdict,
        answer,
      })),
    })),
    ...(generated
      ? [
          {
            name: "generated",
            outcomes: generated.asked.map((question) => ({
              question: question.question.query,
              verdict: judgeAnswer(question),
              answer: question.answer.answer,
            })),
          },
        ]
      : []),
  ];
}

/** Prints the sets by set-up, and what is worse than by words alone. @returns whether nothing is */
export function compareSetUps([words, ...otherSetUps]: readonly Answers[]): boolean {
  const ownSets = listOutcomes(words!);
  printTable(
    "Right, wrong by set-up",
    ["", words!.name, ...otherSetUps.map(({ name }) => name)],
    ownSets.map(({ name, outcomes }, index) => [
      `${name} (${outcomes.length})`,
      ...[ownSets, ...otherSetUps.map(listOutcomes)].map(
        (sets) => `${countVerdicts(sets[index]!.outcomes, "right")}, ${countVerdicts(sets[index]!.outcomes, "wrong")}`,
      ),
    ]),
  );
  const worse = otherSetUps.flatMap((otherSetUp) =>
    listOutcomes(otherSetUp).flatMap(({ name, outcomes }, set) =>
      outcomes.flatMap(({ question, verdict, answer }, index) => {
        const ownOutcome = ownSets[set]!.outcomes[index]!;
        if (VERDICTS.indexOf(verdict) <= VERDICTS.indexOf(ownOutcome.verdict)) return [];
        return `\n${otherSetUp.name}, ${name}: ${verdict}, and ${ownOutcome.verdict} by words alone: ${question}\n  ${answer}\n  by words alone: ${ownOutcome.answer}`;
      }),
    ),
  );
  console.log(
    `\nWorse than by words alone: ${worse.length} (aim: none): ${worse.length === 0 ? "holds" : "does not hold"}.`,
  );
  for (const line of worse) console.log(line);
  return worse.length === 0;
}

/**
 * The judged sets with the model at LLM_BASE_URL, whose answers are recorded in CASSETTE; without that address what was
 * recorded is answered again. @returns whether the aims hold, and the model was heard each time that it was asked
 */
export async function tellOwnModel(isFailing: boolean): Promise<boolean> {
  const {
    LLM_BASE_URL: baseUrl,
    LLM_API_KEY: apiKey,
    LLM_TIMEOUT_SECONDS = "30",
    CASSETTE: file = CASSETTE,
  } = process.env;
  const isRecording = baseUrl !== undefined;
  const cassette = await openCassette(file, isRecording ? { baseUrl, apiKey } : undefined);
  try {
    const model = process.env.LLM_MODEL ?? (isRecording ? undefined : cassette.model);
    if (model === undefined)
      throw new Error(
        isRecording
          ? "LLM_MODEL is missing: it names the model at LLM_BASE_URL"
          : `${file} has no answers: set LLM_BASE_URL and LLM_MODEL to record some, or CASSETTE to another file`,
      );
    const env = { LLM_BASE_URL: cassette.url, LLM_MODEL: model, LLM_API_KEY: "cassette", LLM_TIMEOUT_SECONDS };
    const { judged } = await askSetUp({ name: model, env }, 0);
    const hold = judged.map((set) => tellJudgedSet(set, isFailing));
    const { replayed, recorded, missing } = cassette.counts;
    console.log(`\n${model}, ${file}: ${replayed} answers replayed, ${recorded} recorded, ${missing} that it lacks.`);
    for (const [reason, count] of cassette.failures) console.log(`${count} could not be recorded: ${reason}`);
    return !hold.includes(false) && missing + cassette.failures.size === 0 && replayed + recorded > 0;
  } finally {
    await cassette.close();
  }
}
