/**
 * Runs oxlint: `npm run lint`, with paths for these alone. A file is linted again if it, something that it imports
 * (types come from there), or what all of them depend on has changed since it passed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digest, openResults } from "./kept-results.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OXLINT = "node_modules/oxlint/bin/oxlint";
const SOURCE = /\.[cm]?[jt]sx?$/;
/** What every file depends on, beside declarations of modules. */
const OF_ALL =
  /^(?:package-lock\.json|oxlint\.config\.ts|test\/support\/documented-moleculer\.mjs)$|tsconfig\.json$|\.d\.m?ts$/;
const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+|@partline\/[\w-]+)"/g;
/** More fill the command line of some systems. */
const MOST_NAMED = 400;

const contents = new Map<string, string>();
const imports = new Map<string, string[]>();

function read(file: string): string {
  const content = contents.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  contents.set(file, content);
  return content;
}

function findImports(file: string): string[] {
  const earlier = imports.get(file);
  if (earlier) return earlier;
  const names = [...read(file).matchAll(IMPORTED)].map(([, name = ""]) =>
    name.startsWith(".") ? join(dirname(file), name) : toDoor(name.slice("@partline/".length)),
  );
  const files = [...new Set(names)].filter((name) => existsSync(join(ROOT, name)));
  imports.set(file, files);
  return files;
}

/** Returns the one file of a package that others import. */
function toDoor(name: string): string {
  return `packages/${name}/${name === "client" ? "src/index.ts" : "index.ts"}`;
}

/** Returns the file and all that it imports, directly or not. */
function findClosure(file: string): string[] {
  const closure = new Set([file]);
  for (const member of closure) for (const name of findImports(member)) closure.add(name);
  return [...closure].sort();
}

function runOxlint(files: string[]): boolean {
  const words = ["--disable-warning=ExperimentalWarning", OXLINT, ...files];
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: "inherit" }).status === 0;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(runOxlint(named) ? 0 : 1);

const output = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
const files = output.split("\n").filter((file) => file !== "" && existsSync(join(ROOT, file)));
const ofAll = digest(...files.filter((file) => OF_ALL.test(file)).map(read));
const passed = openResults<true>("lint");
const digests = new Map<string, string>();
const digestFile = (file: string): string => {
  const known = digests.get(file) ?? digest(read(file));
  digests.set(file, known);
  return known;
};
const keys = new Map(
  files
    .filter((file) => SOURCE.test(file))
    .map((file) => [file, digest(ofAll, file, ...findClosure(file).map((member) => member + digestFile(member)))]),
);
const open = [...keys].filter(([, key]) => !passed.get(key));
const isClean = open.length === 0 || runOxlint(open.length > MOST_NAMED ? [] : open.map(([file]) => file));
if (isClean) for (const [, key] of open) passed.set(key, true);
passed.save();
console.log(`${open.length} of ${keys.size} files linted, the others as they passed`);
process.exitCode = isClean ? 0 : 1;
