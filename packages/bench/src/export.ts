/**
 * Bulk exports of a running system over HTTP: megabytes a second, processor time for a megabyte, and the memory of the
 * process on the way, which must not grow with the export. Aim: 10 MB/s, judged by the processor time, which other work
 * does not change. `npm run bench -- export [PARTS]`, 100,000 unless given.
 */
import { setTimeout as pause } from "node:timers/promises";
import { startShop } from "./support/shop.ts";
import { printTable } from "./support/table.ts";
import { ADMIN_TOKEN } from "../../../test/support/system.ts";

const parts = Number(process.argv[2] ?? 100_000);
const AIM_MB = 10;
const MEGABYTE = 1_048_576;
const LOOK_BYTES = 4 * MEGABYTE;

const { system } = await startShop();
const lines = Array.from(
  { length: parts },
  (_, n) =>
    `${n}-${(n * 7_919) % 10_007},"Gasket, intake, number ${n}",Fits models of the ${n % 60} series,Seals,${(n % 900) + 1}.50`,
);
const imported = await system.request("catalog", "POST", "/catalog/import/bns", {
  rawBody: ["part_number,title,description,category,list_price", ...lines].join("\n"),
  adminToken: ADMIN_TOKEN,
  headers: { "Content-Type": "text/csv" },
});
if (imported.status !== 200) throw new Error(`The price file was refused: ${imported.text}`);
await pause(5_000);

async function figures(): Promise<{ memoryMb: number; cpuMs: number }> {
  const text = await (
    await fetch(`${system.url("gateway")}/metrics`, { headers: { "X-Admin-Token": ADMIN_TOKEN } })
  ).text();
  const readMetric = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return {
    memoryMb: readMetric("process_resident_memory_bytes") / MEGABYTE,
    cpuMs: readMetric("process_cpu_seconds_total") * 1_000,
  };
}
const residentMb = async (): Promise<number> => (await figures()).memoryMb;

let missed = false;
const rows = [];
for (const format of ["ndjson", "csv"] as const) {
  for (const round of [1, 2]) {
    const valueBefore = await figures();
    const since = performance.now();
    const answer = await fetch(`${system.url("gateway")}/api/admin/export/parts?format=${format}`, {
      headers: { "X-Admin-Token": ADMIN_TOKEN },
    });
    let bytes = 0;
    let newlines = 0;
    let peak = 0;
    let looked = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) newlines += 1;
      if (bytes - looked > LOOK_BYTES) {
        looked = bytes;
        peak = Math.max(peak, await residentMb());
      }
    }
    const seconds = (performance.now() - since) / 1_000;
    const rate = bytes / MEGABYTE / seconds;
    const cpuMs = ((await figures()).cpuMs - valueBefore.cpuMs) / (bytes / MEGABYTE);
    if (round === 2 && cpuMs > 1_000 / AIM_MB) missed = true;
    rows.push([`${format}, ${round}`, newlines, bytes / MEGABYTE, seconds, rate, cpuMs, valueBefore.memoryMb, peak]);
  }
}
printTable(
  `an export of ${parts} parts and those of the sandbox`,
  ["", "lines", "MB", "s", "MB/s", "CPU ms a MB", "MB before", "MB at most"],
  rows,
);
await system.stop();
if (missed) process.exitCode = 1;
