/** Holds README.md, the docs and the OpenAPI texts to the words of docs/style.md: `npm run prose [-- FILE …]`. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TextlintKernel, type TextlintRuleModule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { openApiTexts } from "./texts.ts";

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

const words: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    const text = getSource(node);
    for (const { pattern, use } of WORDS) {
      for (const { 0: found, index } of text.matchAll(pattern))
        report(
          node,
          new RuleError(`"${found}": write ${use}`, { padding: locator.range([index, index + found.length]) }),
        );
    }
  },
});

const kernel = new TextlintKernel();
const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default }],
  rules: [{ ruleId: "words", rule: words }],
};

const given = process.argv.slice(2);
const pages = ["README.md", "CONTRIBUTING.md"].concat(
  readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("decisions") && file !== "licences.md")
    .map((file) => `docs/${file}`),
);
const texts = new Map([...pages.map((page): [string, string] => [page, read(page)]), ...openApiTexts()]);
let count = 0;
for (const [place, text] of texts) {
  if (given.length > 0 && !given.some((name) => place.startsWith(name))) continue;
  const { messages } = await kernel.lintText(text, { ...options, filePath: fileURLToPath(new URL("text.md", ROOT)) });
  for (const { loc, message } of messages) console.log(`${place}:${loc.start.line}:${loc.start.column} ${message}`);
  count += messages.length;
}
if (count > 0) {
  console.log(`${count} words to mend (docs/style.md)`);
  process.exitCode = 1;
}
