/**
 * `npm run bench -- split [ROUNDS]`; needs NATS_SERVER_BIN, and MONGO_URL and S3_ENDPOINT for the second part. First:
 * the same requests to all services in one process and to a gateway that has the services in another process, over
 * NATS, both over embedded stores. Aims: at least 40 % of the throughput, less than 1.5 ms more at the median. Client,
 * gateway, NATS server and services share this machine's processors, which one process need not share with as many; so
 * what each request takes of a processor is reported too, and what that would come to with a processor for each
 * process. Second: pictures made smaller by one worker process, by two, and by one again, each worker and what it
 * starts kept on a processor of its own. Aims: 1.7 times as many by two, and within 10 % as many by each. Exits 1 where
 * an aim is missed that this machine has processors for.
 */
import { startOwnNats } from "../../../test/support/nats-server.ts";
import { load, type LoadFigures, type LoadTarget } from "./support/load.ts";
import { startShopUnderLoad, type ShopUnderLoad } from "./support/shop-targets.ts";
import { printAims, type Aim } from "./support/split/aims.ts";
import { GATEWAY_AND_SERVICES } from "./support/split/processes.ts";
import { readProcessorSeconds } from "./support/split/processor.ts";
import { compareWorkers } from "./support/split/workers.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const SECONDS = 3;
const ROWS = ["GET /api/cart/{id}", "GET /api/orders/{id} with token", "GET /api/search"];

/** The client, the gateway, the NATS server, and the process with the services. */
const PROCESSES = 4;

const rounds = Number(process.argv[2] ?? 3);
const nats = await startOwnNats();
const sides = {
  one: await startShopUnderLoad(),
  split: await startShopUnderLoad({ NATS_URL: nats.url }, GATEWAY_AND_SERVICES),
};
const [alone, many] = [await compare(1), await compare(50)];
await Promise.all(Object.values(sides).map(({ system }) => system.stop()));
await nats.stop();
const aims: Aim[] = [
  // Who asks one at a time keeps one process busy at a time.
  ...alone.map(({ row, addedMs }) => ({
    what: `${row}: less than 1.5 ms added at the median of one connection`,
    figure: addedMs,
    isMet: addedMs < 1.5,
    processors: 2,
  })),
  ...many.map(({ row, ofOne }) => ({
    what: `${row}: at least 40 % of one process's throughput at 50 connections`,
    figure: ofOne,
    isMet: ofOne >= 40,
    processors: PROCESSES,
  })),
  ...(await compareWorkers(rounds)),
];
process.exit(printAims(aims) ? 0 : 1);

type Side = keyof typeof sides;

interface Compared {
  row: string;
  /** At the median, milliseconds. */
  addedMs: number;
  /** Throughput in percent of that of one process. */
  ofOne: number;
}

async function compare(connections: number): Promise<Compared[]> {
  const figures = new Map<string, (LoadFigures & { busiest: number })[]>();
  for (let round = 0; round < rounds; round++) {
    for (const row of ROWS) {
      // Turns change, as the machine is faster and slower from one minute to the next.
      for (const side of (round % 2 === 0 ? ["one", "split"] : ["split", "one"]) as Side[]) {
        const earlierFigures = figures.get(`${side} ${row}`) ?? [];
        figures.set(`${side} ${row}`, [
          ...earlierFigures,
          await measure(sides[side], findTarget(sides[side], row), connections),
        ]);
      }
    }
  }
  const figure = (side: Side, row: string, name: keyof LoadFigures | "busiest") =>
    median(figures.get(`${side} ${row}`)!.map((loadFigures) => loadFigures[name]));
  printTable(
    `${connections} connection${connections === 1 ? "" : "s"}, medians of ${rounds} rounds: one process, and split`,
    [
      "",
      "req/s one",
      "req/s split",
      "of it %",
      "p50 ms one",
      "p50 ms split",
      "added ms",
      "µs one",
      "µs split",
      "µs of the busiest",
      "of it % with processors enough",
      "failed",
    ],
    ROWS.map((row) => [
      row,
      figure("one", row, "requestsPerSecond"),
      figure("split", row, "requestsPerSecond"),
      share(figure("split", row, "requestsPerSecond"), figure("one", row, "requestsPerSecond")),
      figure("one", row, "p50"),
      figure("split", row, "p50"),
      figure("split", row, "p50") - figure("one", row, "p50"),
      figure("one", row, "processorMicroseconds"),
      figure("split", row, "processorMicroseconds"),
      figure("split", row, "busiest"),
      share(figure("one", row, "busiest"), figure("split", row, "busiest")),
      figure("one", row, "failed") + figure("split", row, "failed"),
    ]),
  );
  return ROWS.map((row) => ({
    row,
    addedMs: figure("split", row, "p50") - figure("one", row, "p50"),
    ofOne: share(figure("split", row, "requestsPerSecond"), figure("one", row, "requestsPerSecond")),
  }));
}

function share(part: number, total: number): number {
  return (part / total) * 100;
}

/**
 * Beside the load's figures, what a request takes of a processor in the process that does most of it: with a processor
 * for each, that is what bounds them.
 */
async function measure(
  { system }: ShopUnderLoad,
  target: LoadTarget,
  connections: number,
): Promise<LoadFigures & { busiest: number }> {
  const looks: number[][] = [];
  const look = (): Promise<number> => {
    const secondsByProcess = system.processes.map(({ pid }) => readProcessorSeconds(pid!));
    looks.push(secondsByProcess);
    return Promise.resolve(secondsByProcess.reduce((sum, seconds) => sum + seconds, 0));
  };
  const figures = await load(target, connections, SECONDS, look);
  const [firstLook, after] = looks as [number[], number[]];
  const usedSeconds = after.map((seconds, index) => seconds - firstLook[index]!);
  const totalSeconds = usedSeconds.reduce((sum, seconds) => sum + seconds, 0);
  return { ...figures, busiest: (figures.processorMicroseconds * Math.max(...usedSeconds)) / totalSeconds };
}

function findTarget({ targets }: ShopUnderLoad, row: string): LoadTarget {
  return targets.find(([name]) => name === row)![1];
}
