/** Holds docs, API texts, comments, messages and names of tests to docs/style.md: `npm run prose [-- FILE …]`. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TextlintKernel, type TextlintRuleModule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { digest, openResults } from "../kept-results.ts";
import { codeTexts } from "./code.ts";
import { asyncApiTexts, openApiTexts } from "./texts.ts";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** The rows of the table of words: what to avoid, and what to write. */
function readWords(): { pattern: RegExp; use: string }[] {
  const table = /\n## Words\n[^]*?\n\|---\|---\|\n((?:\|.*\n)+)/.exec(read("docs/style.md"))![1]!;
  return [...table.matchAll(/^\| (.+) \| (.+) \|$/gm)].map(([, avoid, use]) => {
    const phrases = [...avoid!.matchAll(/`([^`]+)`/g)].map(([, phrase]) =>
      phrase!.replaceAll(/[.()]/g, "\\$&").replace(/^\b/, "\\b").replace(/\b$/, "\\b"),
    );
    return { pattern: new RegExp(phrases.join("|"), "gi"), use: use! };
  });
}

const WORDS = readWords();

/** Returns what stands in the table's first column, with what to write. */
function findingsIn(text: string): { found: string; index: number; message: string }[] {
  return WORDS.flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ found, index, message: `"${found}": write ${use}` })),
  );
}

const ANY = new RegExp(WORDS.map(({ pattern }) => pattern.source).join("|"), "i");
const hasFinding = (text: string): boolean => ANY.test(text);

const words: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    for (const { found, index, message } of findingsIn(getSource(node)))
      report(node, new RuleError(message, { padding: locator.range([index, index + found.length]) }));
  },
});

const kernel = new TextlintKernel();
const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default }],
  rules: [{ ruleId: "words", rule: words }],
};

/** Built files, words that people and manuals use, and what is said to shoppers, which is spoken English. */
const LEFT_OUT = [
  "packages/web/src/shop/texts/",
  "packages/parts-desk/src/texts/",
  "packages/web/.built/",
  "packages/client/dist/",
  "packages/parts-search/src/passage-index/terms.ts",
  "packages/bench/src/support/answers/wordings.ts",
  "packages/bench/src/support/generators/",
];
const given = process.argv.slice(2);
const isGiven = (place: string): boolean => given.length === 0 || given.some((name) => place.startsWith(name));
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`);
const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...filesIn("docs").filter((file) => file.endsWith(".md") && file !== "docs/licences.md"),
  ...globSync(["packages/*/README.md", "services/*/README.md"], { cwd: ROOT, exclude: ["packages/bench/**"] }),
];
const sources = ["bin", "broker", "gateway", "mixins", "packages", "services", "test"]
  .flatMap(filesIn)
  .filter((file) => /\.(?:tsx?|[cm]js)$/.test(file) && !LEFT_OUT.some((start) => file.startsWith(start)));
const texts = new Map([
  ...pages.map((page): [string, string] => [page, read(page)]),
  ...openApiTexts(),
  ...asyncApiTexts(),
]);
/** By the words, the code that finds them, and the text; each as `line:column message`. */
const earlierResults = openResults<string[]>("prose");
const RULES = digest(
  read("docs/style.md"),
  ...["lint.ts", "code.ts"].map((file) => read(`test/support/prose/${file}`)),
);

async function lintMarkdown(text: string): Promise<string[]> {
  const { messages } = await kernel.lintText(text, { ...options, filePath: fileURLToPath(new URL("text.md", ROOT)) });
  return messages.map(({ loc, message }) => `${loc.start.line}:${loc.start.column} ${message}`);
}

function lintCode(path: string, source: string): string[] {
  return codeTexts(path, source).flatMap(({ line, column, text }) =>
    findingsIn(text).map(({ message }) => `${line}:${column} ${message}`),
  );
}

let count = 0;
function show(place: string, findings: readonly string[]): void {
  for (const finding of findings) console.log(`${place}:${finding}`);
  count += findings.length;
}
for (const [place, text] of texts) {
  if (!isGiven(place)) continue;
  const key = digest(RULES, text);
  show(place, earlierResults.get(key) ?? earlierResults.set(key, await lintMarkdown(text)));
}
for (const path of sources.filter(isGiven)) {
  const source = read(path);
  // To find what is text in a source takes a hundred times as long as to look for words in all of it.
  if (!hasFinding(source)) continue;
  const key = digest(RULES, path, source);
  show(path, earlierResults.get(key) ?? earlierResults.set(key, lintCode(path, source)));
}
if (given.length === 0) earlierResults.save();
if (count > 0) {
  console.log(`${count} words to mend (docs/style.md)`);
  process.exitCode = 1;
}
