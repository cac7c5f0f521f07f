import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** The part of `npm run check` that runs alone: in a fresh clone it installs the packages. */
const FIRST = ["client-types"];
/** The others, the longest first: as many at once as there are processors. */
const OTHERS = [["lint"], ["format", "--check"], ["types"], ["prose"], ["web-types"], ["layers"], ["names"]];
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

async function passAll(parts) {
  const verdicts = [];
  const waiting = parts.values();
  const work = async () => {
    for (const part of waiting) verdicts.push(await passes(part));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return verdicts.every(Boolean);
}

const verdicts = [await passes(FIRST), await passAll(OTHERS)];
process.exitCode = verdicts.every(Boolean) ? 0 : 1;
