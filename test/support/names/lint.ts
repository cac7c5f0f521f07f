/**
 * Counts the names that do not follow CONTRIBUTING.md, "A change", for each folder, and fails if there are more than
 * record.json allows: `npm run names`. `RECORD_NAMES=1 npm run names` writes the counts if no total rose; so a move of
 * files from folder to folder is recorded too.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import ts from "typescript";
import { digest, openResults } from "../kept-results.ts";
import { BARE_TYPE, BARE_WORD, DICTATED, VERB, WIRE_OBJECT } from "./words.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const RECORD = "test/support/names/record.json";

/** What to do about each kind of offender. */
const ADVICE = {
  local: "is a participle or particle alone: name the thing (order, line, index)",
  of: "ends in Of: begin with a verb (findOrder, not orderOf)",
  function: "begins with no verb known to words.ts (findOrder, onOrderPaid, isPaid)",
  type: "is a participle: name a type with a noun (Shipment, not Held)",
  nonNull: "asserts that a value is there: narrow its type instead",
};
type Kind = keyof typeof ADVICE;
type Counts = Record<Kind, number>;
interface Offender {
  kind: Kind;
  name: string;
  file: string;
  line: number;
}

function git(...args: string[]): string[] {
  const output = execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 });
  return output.split("\n");
}

const isChecked = (file: string): boolean =>
  /(?<!\.d|\.test)\.tsx?$/.test(file) && !/(^|\/)(test|generated)\//.test(file);

/** Returns a service, a package, or a folder at the top. */
const getFolder = (file: string): string => /^(?:(?:services|packages)\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? ".";

const isFunction = (node?: ts.Node): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** Whether a function is the handler of an action or event: the contract names it. */
const isHandler = ({ parent: { parent: owner } }: ts.Node): boolean =>
  ts.isPropertyAssignment(owner) && WIRE_OBJECT.test(owner.name.getText());

function findOffenders(file: string, text: string): Offender[] {
  const offenders: Offender[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const add = (kind: Kind, node: ts.Node): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    offenders.push({ kind, name: node.getText().replaceAll(/\s+/g, " ").slice(0, 60), file, line });
  };
  const checkFunction = (name: ts.Node): void => {
    const word = name.getText();
    if (/[a-z]Of$/.test(word)) add("of", name);
    else if (/^#?[a-z]/.test(word) && !VERB.test(word) && !DICTATED.test(word)) add("function", name);
  };
  const checkLocal = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) {
      if (BARE_WORD.test(name.text)) add("local", name);
    } else for (const element of name.elements) if (ts.isBindingElement(element)) checkLocal(element.name);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) {
      checkLocal(node.name);
      if (isFunction(node.initializer)) checkFunction(node.name);
    } else if (ts.isFunctionDeclaration(node)) {
      if (node.name) checkFunction(node.name);
    } else if (ts.isMethodDeclaration(node) || (ts.isPropertyAssignment(node) && isFunction(node.initializer))) {
      if (!isHandler(node)) checkFunction(node.name);
    } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) {
      if (node.name && BARE_TYPE.test(node.name.text)) add("type", node.name);
    } else if (ts.isNonNullExpression(node)) add("nonNull", node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return offenders;
}

/** Returns the offenders that the folder did not have when the record was last written. */
function selectNew(folder: string, offenders: readonly Offender[]): Offender[] {
  const [commit] = git("log", "-1", "--format=%H", "--", RECORD);
  if (!commit) return [...offenders];
  const files = git("ls-tree", "-r", "--name-only", commit, folder).filter((file) => isChecked(file));
  const earlier = files.flatMap((file) => findOffenders(file, git("show", `${commit}:${file}`).join("\n")));
  return offenders.filter(({ kind, name }) => {
    const index = earlier.findIndex((offender) => offender.kind === kind && offender.name === name);
    if (index >= 0) earlier.splice(index, 1);
    return index < 0;
  });
}

function countKinds(offenders: readonly Offender[]): Counts {
  const counts: Counts = { local: 0, of: 0, function: 0, type: 0, nonNull: 0 };
  for (const { kind } of offenders) counts[kind] += 1;
  return counts;
}

const kinds = Object.keys(ADVICE) as Kind[];
const allowed = JSON.parse(readFileSync(join(ROOT, RECORD), "utf8")) as Partial<Record<string, Counts>>;
const sources = git("ls-files", "-co", "--exclude-standard").filter(
  (file) => isChecked(file) && existsSync(join(ROOT, file)),
);
const RULES = ["lint.ts", "words.ts"].map((file) => readFileSync(new URL(file, import.meta.url), "utf8"));
const earlierResults = openResults<Offender[]>("names");
const offenders = sources.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const key = digest(...RULES, file, text);
  return earlierResults.get(key) ?? earlierResults.set(key, findOffenders(file, text));
});
earlierResults.save();
const byFolder = Map.groupBy(offenders, ({ file }) => getFolder(file));
const counted = [...byFolder].sort().map(([folder, list]) => [folder, countKinds(list)] as const);

if (process.env.RECORD_NAMES === "1") {
  const totals = countKinds(offenders);
  const sumAllowed = (kind: Kind): number => Object.values(allowed).reduce((sum, counts) => sum + counts![kind], 0);
  const risen = kinds.filter((kind) => Object.keys(allowed).length > 0 && totals[kind] > sumAllowed(kind));
  if (risen.length === 0) {
    const rows = counted.map((row) => `  ${row.map((part) => JSON.stringify(part)).join(": ")}`);
    const config = await prettier.resolveConfig(join(ROOT, RECORD));
    const json = await prettier.format(`{\n${rows.join(",\n")}\n}`, { ...config, filepath: RECORD });
    writeFileSync(join(ROOT, RECORD), json);
    process.exit();
  }
  console.log(`Not recorded: the total of ${risen.join(", ")} is higher than in the record.`);
}

for (const [folder, counts] of counted)
  for (const kind of kinds) {
    const limit = allowed[folder]?.[kind] ?? 0;
    if (counts[kind] <= limit) continue;
    process.exitCode = 1;
    console.log(`${folder}: ${counts[kind]} names of kind ${kind}, at most ${limit} may be there. New:`);
    const list = byFolder.get(folder)!.filter((offender) => offender.kind === kind);
    for (const { name, file, line } of selectNew(folder, list))
      console.log(`  ${file}:${line} ${name} ${ADVICE[kind]}`);
  }
