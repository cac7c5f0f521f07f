/**
 * How well the parts desk answers, over HTTP: a fresh system is asked the judged questions about the sample manuals,
 * then reads manuals that are generated with their facts, and is asked what they answer, what they do not, and what
 * somebody wants it to say. It exits 1 where an aim does not hold.
 *
 * `npm run bench -- answers [MANUALS] [failing]`, 200 manuals unless given; 0 are the judged questions alone; `failing`
 * lists what is not answered as it should be. `answers set-ups`: the same by words alone, with the sentence model, with
 * the sandbox's chat model and with both, and what a model makes worse. `answers --llm`: the judged questions with a
 * model of one's own, recorded and replayed.
 */
import { compareSetUps, openSetUps, askSetUp, tellOwnModel, WORDS_ALONE } from "./support/answers/set-ups.ts";
import { tellGeneratedSet } from "./support/answers/generated-set.ts";
import { tellJudgedSet } from "./support/answers/judged-sets.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const words = process.argv.slice(2);
const isFailing = words.includes("failing");
if (words.includes("--llm")) process.exit((await tellOwnModel(isFailing)) ? 0 : 1);
const count = Number(words.find((word) => /^\d+$/.test(word)) ?? 200);

const { setUps, close } = words.includes("set-ups")
  ? await openSetUps()
  : { setUps: [WORDS_ALONE], close: async () => undefined };
const aims: boolean[] = [];
const answerSets: Awaited<ReturnType<typeof askSetUp>>[] = [];
try {
  for (const setUp of setUps) {
    const answers = await askSetUp(setUp, count);
    answerSets.push(answers);
    if (setUps.length > 1) console.log(`\n# With ${setUp.name}`);
    aims.push(...answers.judged.map((set) => tellJudgedSet(set, isFailing)));
    // A model takes its time.
    if (answers.generated) aims.push(tellGeneratedSet(answers.generated, isFailing, setUp === WORDS_ALONE));
  }
} finally {
  await close();
}
if (answerSets.length > 1) aims.push(compareSetUps(answerSets));
if (aims.includes(false)) process.exitCode = 1;
