/** Time from `npm start` to ready and memory at rest, all services in one process, beside a bare Moleculer gateway. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { startSystem } from "../../../test/support/system.ts";
import { startServer, stopServers } from "./support/child.ts";
import { printTable } from "./support/table.ts";

const bareAt = performance.now();
const bare = await startServer("moleculer-web");
const bareSeconds = (performance.now() - bareAt) / 1000;
await pause(5_000);
const rows = [["a bare moleculer-web gateway", bareSeconds, residentMegabytes(bare.pid)]];
stopServers();

const firstAt = performance.now();
const system = await startSystem();
const firstSeconds = (performance.now() - firstAt) / 1000;
await pause(10_000);
rows.push(["Partline, first start: fills the catalog", firstSeconds, residentMegabytes(system.processes[0]!.pid!)]);
await system.kill();
const againAt = performance.now();
await system.start();
const againSeconds = (performance.now() - againAt) / 1000;
await pause(10_000);
rows.push(["Partline, started again after kill -9", againSeconds, residentMegabytes(system.processes[0]!.pid!)]);
await system.stop();

printTable(
  "Start (aim: ready in under 6 s, under 350 MB resident when idle)",
  ["", "ready after s", "resident MB"],
  rows,
);

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
}
