/**
 * Runs Prettier: `npm run format` writes, `--check` looks. A file that passed is looked at again when it, Prettier or
 * Prettier's settings have changed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { digest, openResults } from "./kept-results.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PRETTIER = "node_modules/prettier/bin/prettier.cjs";
const FORMATTED = /\.(?:[cm]?[jt]sx?|json|ya?ml|css|html)$/;
/** What every file depends on. */
const OF_ALL = ["package-lock.json", ".prettierrc.json", ".prettierignore"];
/** More fill the command line of some systems. */
const MOST_NAMED = 400;

const [how = "--check"] = process.argv.slice(2);
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const output = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
const files = output.split("\n").filter((file) => FORMATTED.test(file) && existsSync(join(ROOT, file)));
const ofAll = digest(...OF_ALL.map(read));
const computeKey = (file: string): string => digest(ofAll, file, read(file));
const passed = openResults<true>("format");
const open = files.filter((file) => !passed.get(computeKey(file)));
const paths = open.length > MOST_NAMED ? ["."] : open;
const words = [PRETTIER, how, "--log-level=warn", ...paths];
const passes = open.length === 0 || spawnSync(process.execPath, words, { cwd: ROOT, stdio: "inherit" }).status === 0;
if (passes) for (const file of open) passed.set(computeKey(file), true);
passed.save();
process.exitCode = passes ? 0 : 1;
