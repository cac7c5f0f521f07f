/**
 * Images: a variant that is kept, beside node:http that streams the same file; what making one takes, beside sharp
 * called directly; and the memory of the node and of the processes that work on images while forty photographs arrive.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { ADMIN_TOKEN, startSystem } from "../../../test/support/system.ts";
import { startServer, stopServers } from "./support/child.ts";
import { load } from "./support/load.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

/** As many as are given, or this many. */
const PHOTOGRAPHS = Number(process.argv[2] ?? 40);
const SECONDS = 3;

const system = await startSystem();
const put = async (image: Buffer): Promise<string> =>
  (await system.request("media", "PUT", "/api/media", { rawBody: image, adminToken: ADMIN_TOKEN })).body.id as string;
const get = async (id: string, query: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${system.url("media")}/api/media/${id}?${query}`)).arrayBuffer());

/** Twelve megapixels with detail as a camera gives it: noise at a quarter of the size. */
const photograph = (): Promise<Buffer> =>
  sharp(randomBytes(1_000 * 750 * 3), { raw: { width: 1_000, height: 750, channels: 3 } })
    .resize(4_000, 3_000)
    .jpeg({ quality: 88 })
    .toBuffer();

const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
const node = system.processes[0]!.pid!;
const workers = (): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isWorker(pid));

const first = await photograph();
const firstAt = performance.now();
const id = await put(first);
const firstSeconds = (performance.now() - firstAt) / 1_000;

const making: (string | number)[][] = [
  [
    "a photograph of 12 megapixels is put",
    firstSeconds * 1_000,
    await directly((image) => image.autoOrient().jpeg({ quality: 92, chromaSubsampling: "4:4:4" })),
  ],
];
for (const [query, width, format] of [
  ["w=400", 400, "jpeg"],
  ["w=400&format=webp", 400, "webp"],
  ["w=1200&format=webp", 1_200, "webp"],
  ["w=1200&format=avif", 1_200, "avif"],
] as const) {
  const ours: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now();
    // A pixel more is another variant.
    await get(id, query.replace(String(width), String(width + round)));
    ours.push(performance.now() - startedAt);
  }
  making.push([
    query,
    median(ours),
    await directly((image) =>
      image
        .resize(width)
        [format]({ quality: format === "avif" ? 55 : 80, ...(format === "avif" ? { effort: 2 } : {}) }),
    ),
  ]);
}
printTable("Making what is not kept yet: milliseconds until it is answered", ["", "Partline", "sharp alone"], making);

const variant = await get(id, "w=400&format=webp");
const path = join(mkdtempSync(join(tmpdir(), "partline-bench-")), "variant.webp");
writeFileSync(path, variant);
const raw = await startServer("raw-file", path, "image/webp");
const variantUrl = `${system.url("media")}/api/media/${id}?w=400&format=webp`;
const etag = (await fetch(variantUrl)).headers.get("etag")!;
for (const connections of [1, 50]) {
  const rows = [];
  for (const [name, target] of [
    [
      `node:http, the same ${Math.round(variant.length / 1_024)} KB from a file`,
      { url: `http://127.0.0.1:${raw.port}/` },
    ],
    ["a variant that is kept", { url: variantUrl }],
    ["the same, through the gateway", { url: variantUrl.replace(system.url("media"), system.url("gateway")) }],
    ["the same, HTTP 304", { url: variantUrl, headers: () => ({ "if-none-match": etag }) }],
  ] as const) {
    const { requestsPerSecond, p50, p99 } = await load(target, connections, SECONDS);
    rows.push([name, requestsPerSecond, p50, p99]);
  }
  printTable(`${connections} connection${connections === 1 ? "" : "s"}`, ["", "req/s", "p50 ms", "p99 ms"], rows);
}
stopServers();

const valueBefore = resident(node);
const most = { node: 0, workers: 0 };
const watch = setInterval(() => {
  most.node = Math.max(most.node, resident(node));
  most.workers = Math.max(
    most.workers,
    workers().reduce((sum, pid) => sum + resident(pid), 0),
  );
}, 100);
const photographs = await Promise.all(Array.from({ length: 4 }, photograph));
const putAt = performance.now();
for (let sentPictures = 0; sentPictures < PHOTOGRAPHS; sentPictures += 4) {
  await Promise.all(photographs.map((image, n) => put(Buffer.concat([image, Buffer.from(String(sentPictures + n))]))));
}
const seconds = (performance.now() - putAt) / 1_000;
clearInterval(watch);
printTable(
  `${PHOTOGRAPHS} photographs, four at a time`,
  ["", ""],
  [
    ["photographs a second", PHOTOGRAPHS / seconds],
    ["MB resident before, node", valueBefore],
    ["MB resident at most, node", most.node],
    ["MB resident at most, its two image processes together", most.workers],
  ],
);
await system.stop();

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("media/rendering/worker.ts");
  } catch {
    return false;
  }
}

/** Measures sharp alone in this process, reading from memory; milliseconds. */
async function directly(work: (image: ReturnType<typeof sharp>) => ReturnType<typeof sharp>): Promise<number> {
  sharp.concurrency(1);
  const at = performance.now();
  await work(sharp(first)).toBuffer();
  return performance.now() - at;
}
