/**
 * A model of the deployment: what 1 to 200 nodes carry, what an order costs, and what breaks first.
 * `npm run bench -- scale [--price MONEY]`, MONEY for an hour of a core, simulates nodes whose times scale-times.json
 * holds. `--measure` takes them from the system itself. `--validate [--share S] [--rounds N]` holds real
 * processes to a share of a processor and compares them with the model; ends with 1 where it is not within 20 %. Both
 * need NATS_URL and MONGO_URL; for several search processes also ELASTICSEARCH_URL and S3_ENDPOINT. `--svg FILE` draws
 * the prediction.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureEmbedded, measureLayout } from "./support/scale/measure.ts";
import { printPrediction } from "./support/scale/predict.ts";
import { LAYOUTS, type Times } from "./support/scale/times.ts";
import { compareWithModel } from "./support/scale/validate.ts";

const TIMES = fileURLToPath(new URL("../scale-times.json", import.meta.url));

const { values: options } = parseArgs({
  options: {
    measure: { type: "boolean" },
    validate: { type: "boolean" },
    share: { type: "string", default: "0.12" },
    rounds: { type: "string", default: "2" },
    price: { type: "string", default: "0.04" },
    svg: { type: "string" },
  },
});
if (options.measure) await measure();
const times = JSON.parse(readFileSync(TIMES, "utf8")) as Times;
if (options.validate && !(await compareWithModel(times, Number(options.share), Number(options.rounds))))
  process.exitCode = 1;
if (!options.validate) printPrediction(times, Number(options.price), options.svg);
process.exit();

async function measure(): Promise<void> {
  const layouts = {
    one: await measureLayout(LAYOUTS.one),
    two: await measureLayout(LAYOUTS.two),
    four: await measureLayout(LAYOUTS.four),
  };
  const measured: Times = {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    layouts,
    embedded: await measureEmbedded(),
  };
  const round = (_: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(3)) : value);
  writeFileSync(TIMES, `${JSON.stringify(measured, round, 2)}\n`);
}
