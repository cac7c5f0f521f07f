/** `npm run setup`: asks for what a shop must have, checks it, and writes the settings file that `npm start` reads. */
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { CHECKS, findSettingProblems } from "./setup/checks.ts";
import { createPrompt } from "./setup/prompt.ts";
import { COMMENTS, createDefaults, QUESTIONS, type Answers, type Question } from "./setup/questions.ts";
import { applyChanges, readSettingsFile, writeSettingsFile } from "./setup/settings-file.ts";

const USAGE = `npm run setup: asks for the settings of a shop, and writes them into a file
npm run setup -- --check: checks the file, and asks and writes nothing
The file is partline.env, or what SETTINGS_FILE names. Answers can be piped in, a line each.
`;

const NEXT_STEPS = `
Nothing is missing. Start the shop: npm start (with an answer "sandbox", npm run sandbox in another shell first)
Then sign in to the console, and fill in the shop's name, address, hours and time zone under Settings.`;

const file = resolve(process.env.SETTINGS_FILE || "partline.env");
const text = readSettingsFile(file);
const [option] = process.argv.slice(2);

if (option === undefined) await runDialog();
else if (option === "--check") await runCheck();
else {
  const isAsked = option === "--help" || option === "-h";
  (isAsked ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = isAsked ? 0 : 1;
}

async function runCheck(): Promise<void> {
  const answers = parseEnv(text);
  const problems = await findProblems(answers);
  process.stdout.write(problems.length === 0 ? `${file} has all that the start needs.\n` : listMissing(problems));
  if (problems.length > 0) process.exitCode = 1;
}

async function runDialog(): Promise<void> {
  const prompt = createPrompt({ input: process.stdin, output: process.stdout });
  try {
    const stored: Answers = parseEnv(text);
    const answers: Answers = { ...createDefaults(), ...keepSet(stored) };
    prompt.print(`Settings of the shop, for ${file}`);
    prompt.print('Enter accepts the answer in brackets. "skip" leaves a setting for later.\n');
    for (const question of QUESTIONS)
      if (!(await askUntilUsable(question, answers))) {
        endUnwritten();
        return;
      }
    const newText = applyChanges(text, listChanges(stored, answers));
    if (newText === text) prompt.print("\nNothing has changed.");
    else {
      const reply = await prompt.ask(`\n${text === "" ? "Write" : "Change"} ${file}? [yes]`);
      if (reply === undefined || !/^(y|yes|)$/i.test(reply)) {
        endUnwritten();
        return;
      }
      writeSettingsFile(file, newText);
      prompt.print(`${file} is written. Only you can read it.`);
    }
    const problems = await findProblems(answers);
    prompt.print(problems.length > 0 ? listMissing(problems) : NEXT_STEPS);
  } finally {
    prompt.close();
  }

  function endUnwritten(): void {
    prompt.print("\nNothing was written.");
    process.exitCode = 1;
  }

  /** Asks again while an answer is unusable, or a provider refuses it, which may be kept. @returns false at the end */
  async function askUntilUsable(question: Question, answers: Answers): Promise<boolean> {
    const { name, isSecret = false } = question;
    let isRefused = false;
    for (;;) {
      const suggested = answers[name] ?? question.suggest?.(answers);
      const hint = suggested === undefined ? "" : ` [${isSecret ? "as it is" : suggested}]`;
      const answer = await prompt.ask(`${question.ask}${hint}`, { isSecret });
      if (answer === undefined) return false;
      if (answer === "skip" || (answer === "" && suggested === undefined)) {
        if (answer === "") {
          prompt.print('  The shop needs it. Write "skip" to leave it for later.');
          continue;
        }
        answers[name] = undefined;
        return true;
      }
      Object.assign(
        answers,
        answer === "" ? { [name]: suggested } : (question.read?.(answer, answers) ?? { [name]: answer }),
      );
      const flaw = findSettingProblems(answers).find((line) => line.startsWith(`${name} `));
      if (flaw !== undefined) {
        prompt.print(`  ${flaw}`);
        answers[name] = undefined;
        continue;
      }
      // A second Enter keeps what a provider refuses: it may be down.
      if (answer === "" && isRefused) return true;
      const objection = await CHECKS[name]?.(answers);
      if (objection === undefined) return true;
      isRefused = true;
      prompt.print(`  ${objection.replaceAll("\n", "\n  ")}\n  Enter keeps your answer all the same.`);
    }
  }
}

async function findProblems(answers: Answers): Promise<string[]> {
  const objections = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => (answers[name] ? await check(answers) : undefined)),
  );
  return [...findSettingProblems(answers), ...objections.flatMap((objection) => objection ?? [])];
}

function listMissing(problems: readonly string[]): string {
  return `\nStill to do in ${file} (or run npm run setup again):\n${problems.map((line) => `  ${line}\n`).join("")}`;
}

/** An empty value counts as not set. */
function keepSet(stored: Answers): Answers {
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value));
}

function listChanges(stored: Answers, answers: Answers) {
  const comments: Record<string, string> = {
    ...Object.fromEntries(QUESTIONS.map(({ name, comment }) => [name, comment])),
    ...COMMENTS,
  };
  return Object.entries(comments).flatMap(([name, comment]) => {
    const value = answers[name];
    const isKept = value === (stored[name] || undefined) && (value !== undefined || text.includes(`${name}=`));
    return isKept || (value === undefined && name in COMMENTS && stored[name] === undefined)
      ? []
      : [{ name, value, comment }];
  });
}
