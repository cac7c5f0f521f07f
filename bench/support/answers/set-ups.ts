import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { prepareEmbeddings } from "../../../bin/embeddings/prepare.ts";
import { startTestChatModel } from "../../../test/support/chat-sandbox.ts";
import { startSystem } from "../../../test/support/system.ts";
import { printTable } from "../table.ts";
import { openCassette, type Cassette } from "./cassette.ts";
import { askJudgedSets, countOf, tellJudgedSet, type JudgedSet } from "./judged-sets.ts";

const MODEL_DIR = fileURLToPath(new URL("../../../data/embeddings", import.meta.url));
const CASSETTE = "desk-answers.cassette.jsonl";

/** A fresh system with these settings, asked the judged sets. */
async function askWith(env: Record<string, string>): Promise<JudgedSet[]> {
  const system = await startSystem({ env });
  const end = (): void => {
    for (const child of system.processes) child.kill("SIGKILL");
    rmSync(system.dataDir, { recursive: true, force: true });
  };
  process.once("exit", end);
  try {
    return await askJudgedSets(system);
  } finally {
    await system.stop();
    process.off("exit", end);
  }
}

/** The judged sets by words alone, with the sentence model, with the sandbox's chat model, and with both. */
export async function tellSetUps(): Promise<void> {
  const folder = process.env.EMBEDDINGS_MODEL_DIR ?? MODEL_DIR;
  prepareEmbeddings(folder);
  const chat = await startTestChatModel();
  const embeddings = { EMBEDDINGS_MODEL_DIR: folder };
  const setUps = [
    { name: "words alone", env: {} },
    { name: "sentence model", env: embeddings },
    { name: "chat model", env: chat.env },
    { name: "both", env: { ...embeddings, ...chat.env } },
  ];
  const asked: { name: string; sets: JudgedSet[] }[] = [];
  try {
    for (const { name, env } of setUps) asked.push({ name, sets: await askWith(env) });
  } finally {
    await chat.close();
  }
  printTable(
    "Judged questions by set-up: right, wrong",
    ["", ...setUps.map(({ name }) => name)],
    asked[0]!.sets.map(({ name, outcomes }, at) => [
      `${name} (${outcomes.length})`,
      ...asked.map(({ sets }) => {
        const own = sets[at]!.outcomes;
        return `${countOf(own, "right")}, ${countOf(own, "wrong")}`;
      }),
    ]),
  );
}

/**
 * The judged sets with the model at LLM_BASE_URL, whose answers are recorded in CASSETTE; without that address what was
 * recorded is answered again.
 */
export async function tellOwnModel(isFailing: boolean): Promise<boolean> {
  const { LLM_BASE_URL: baseUrl, LLM_API_KEY: apiKey, LLM_MODEL = "recorded" } = process.env;
  const file = process.env.CASSETTE ?? CASSETTE;
  const cassette: Cassette = await openCassette(file, baseUrl === undefined ? undefined : { baseUrl, apiKey });
  try {
    const sets = await askWith({ LLM_BASE_URL: cassette.url, LLM_MODEL, LLM_API_KEY: "cassette" });
    const hold = sets.map((set) => tellJudgedSet(set, isFailing));
    const { replayed, recorded, missing } = cassette.counts;
    console.log(`${file}: ${replayed} answers replayed, ${recorded} recorded, ${missing} that it lacks.`);
    return !hold.includes(false) && missing === 0;
  } finally {
    await cassette.close();
  }
}
