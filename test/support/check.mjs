import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The part of `npm run check` that runs alone: in a fresh clone it installs the packages. */
const FIRST = [["layers"]];
/** The others, those of a row one after another: two rows fill two processors. */
const ROWS = [
  [["lint"], ["types"], ["client-types"], ["web-types"]],
  [["format", "--check"], ["prose"], ["names"]],
];
const PARTLINE = fileURLToPath(new URL("../../bin/partline.mjs", import.meta.url));

/** Prints what a part says in one piece, and returns whether it is content. */
async function passes(part) {
  const child = spawn(process.execPath, [PARTLINE, ...part], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  process.stdout.write(output);
  if (code !== 0) console.log(`node bin/partline.mjs ${part[0]} failed`);
  return code === 0;
}

async function pass(row) {
  const verdicts = [];
  for (const part of row) verdicts.push(await passes(part));
  return verdicts.every(Boolean);
}

const verdicts = [await pass(FIRST), ...(await Promise.all(ROWS.map(pass)))];
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
