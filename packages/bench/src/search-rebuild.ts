/**
 * A rebuild of the search index under a bounded load of searches whose first hit is known, while imports change what
 * parts cost. No search may fail, find another part first, or show a price that an import which was answered before has
 * changed. On Elasticsearch where ELASTICSEARCH_URL is set. `npm run bench -- search-rebuild [PARTS]`, 50,000 unless
 * given.
 */
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../../../test/support/eventually.ts";
import { ADMIN_TOKEN, type System } from "../../../test/support/system.ts";
import { vendorRows } from "./support/generated-catalog/price-rows.ts";
import { generateVendors } from "./support/generated-catalog/vendors.ts";
import { importFile, lines, startFilledSystem } from "./support/search/filled-system.ts";
import { watchSearches, type KnownPart } from "./support/search/known-hits.ts";
import { latencyRows } from "./support/search/latencies.ts";
import { removeIndexes } from "./support/search-engines/port.ts";
import { printTable } from "./support/table.ts";

const PARTS = Number(process.argv[2] ?? 50_000);
const REBUILDS = 3;
const QUIET_SECONDS = 10;
const LOAD = { connections: 4, perSecond: 100 };
/** Parts whose price each import changes. */
const CHANGED = 200;

/** Vendor's numbers are found by no other vendor's name: the queries name the vendor, too. */
const vendor = generateVendors(PARTS)[0]!;
const rows = [...vendorRows(vendor)]
  .filter(({ status, list_price }) => status === "active" && list_price !== "")
  .slice(0, CHANGED);
const knownParts = rows.map((row): KnownPart => ({
  q: `${vendor.code} ${row.part_number}`,
  id: `${vendor.code}-${row.part_number.replace(/[^A-Z0-9]/g, "")}`.toLowerCase(),
  price: Math.round(Number(row.list_price) * 100),
}));

const namespace = `bench_${process.pid}_${Date.now()}`;
const elasticsearchUrl = process.env.ELASTICSEARCH_URL;
const { system, importSeconds, end } = await startFilledSystem(
  PARTS,
  elasticsearchUrl ? { ELASTICSEARCH_URL: elasticsearchUrl, NATS_NAMESPACE: namespace } : {},
);
try {
  let phase = "outside a rebuild";
  const watched = watchSearches(system.url("search"), knownParts, { ...LOAD, phase: () => phase });
  await pause(QUIET_SECONDS * 1_000);
  const seconds: number[] = [];
  let imports = 0;
  for (let round = 0; round < REBUILDS; round += 1) {
    phase = "during a rebuild";
    const startedAt = performance.now();
    const rebuilt = rebuild(system).then(() => {
      seconds.push((performance.now() - startedAt) / 1_000);
      phase = "outside a rebuild";
    });
    let isOver = false;
    const over = (): void => void (isOver = true);
    rebuilt.then(over, over);
    for (; !isOver; imports += 1) await changePrices(system);
    await rebuilt;
    await pause((QUIET_SECONDS * 1_000) / REBUILDS);
  }
  await watched.stop();
  printTable(
    `${REBUILDS} rebuilds of ${PARTS.toLocaleString("en-US")} parts (imported in ${importSeconds.toFixed(0)} s) under at most ${LOAD.perSecond} searches a second, ${imports} imports of ${CHANGED} prices meanwhile`,
    ["", "searches", "p50 ms", "p99 ms"],
    latencyRows(watched.timed).map(([name, count, p50, p99]) => [name, String(count), p50, p99]),
  );
  console.log(
    `\nRebuilds took ${seconds.map((duration) => duration.toFixed(1)).join(", ")} s. Failed searches: ${watched.failures.length}, wrong or stale first hits: ${watched.wrong.length} (aim: 0 and 0).`,
  );
  for (const line of [...watched.failures, ...watched.wrong].slice(0, 20)) console.log(`  ${line}`);
  process.exitCode = watched.failures.length + watched.wrong.length === 0 ? 0 : 1;
} finally {
  await end().finally(() => elasticsearchUrl && removeIndexes(elasticsearchUrl, namespace));
}

/** @throws Error when the build does not become live */
async function rebuild(running: System): Promise<void> {
  const started = await running.request("search", "POST", "/api/admin/search/reindex", {
    adminToken: ADMIN_TOKEN,
    body: {},
  });
  if (started.status !== 202) throw new Error(`The rebuild is answered ${started.status}: ${started.text}`);
  const { buildId } = started.body as { buildId: string };
  const ended = await eventually(async () => {
    const { body } = await running.request("search", "GET", `/api/admin/search/builds/${buildId}`, {
      adminToken: ADMIN_TOKEN,
    });
    return (body as { status: string }).status !== "running" && (body as { status: string; reason: string | null });
  }, 600_000);
  if (ended.status !== "published") throw new Error(`The build is ${ended.status}: ${ended.reason}`);
}

/** Every known part costs a cent more; from the answer on, that alone is right. */
async function changePrices(running: System): Promise<void> {
  for (const part of knownParts) part.nextPrice = part.price + 1;
  const file = rows.map((row, index) => ({ ...row, list_price: (knownParts[index]!.nextPrice! / 100).toFixed(2) }));
  await importFile(running, vendor.code, lines(file));
  for (const part of knownParts) Object.assign(part, { price: part.nextPrice, nextPrice: undefined });
}
