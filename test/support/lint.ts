/**
 * Runs oxlint: `npm run lint`, with paths for these alone. A file is linted again if it, something that it imports
 * (types come from there), or what all of them depend on has changed since it passed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { digest, openResults } from "./kept-results.ts";
import { createSources } from "./source-closure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OXLINT = "node_modules/oxlint/bin/oxlint";
const SOURCE = /\.[cm]?[jt]sx?$/;
/** What every file depends on, beside declarations of modules. */
const OF_ALL =
  /^(?:package-lock\.json|oxlint\.config\.ts|test\/support\/documented-moleculer\.mjs)$|tsconfig\.json$|\.d\.m?ts$/;
/** More fill the command line of some systems. */
const MOST_NAMED = 400;

function runOxlint(files: string[]): boolean {
  const words = ["--disable-warning=ExperimentalWarning", OXLINT, ...files];
  return spawnSync(process.execPath, words, { cwd: ROOT, stdio: "inherit" }).status === 0;
}

const named = process.argv.slice(2);
if (named.length > 0) process.exit(runOxlint(named) ? 0 : 1);

const { read, findClosure } = createSources(ROOT);
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
