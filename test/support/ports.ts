import { createServer } from "node:net";
import { SANDBOX_PORTS } from "../../broker/settings.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";

/** Offsets from SANDBOX_PORT, those of suppliers by the names of their sandboxes. */
export const SANDBOXES: Readonly<Record<string, number>> = {
  ...SANDBOX_PORTS,
  ...Object.fromEntries(SUPPLIERS.map(({ settings: { sandbox } }) => [sandbox.name, sandbox.offset])),
};
/** Consecutive ports from SANDBOX_PORT on that the sandboxes may take. */
export const SANDBOX_PORT_COUNT = 1 + Math.max(...Object.values(SANDBOXES));

/**
 * Below 32,768, where the kernel's ports for outgoing connections begin: one of those could take the port of a server
 * that is stopped for a moment.
 */
const LOWEST = 20_000;
const BELOW = 32_000;
const RANGES = 20;
const RANGE = (BELOW - LOWEST) / RANGES;

/** When each port was given out last: its user may not have opened it yet. */
const givenAt = new Map<number, number>();
const TO_BE_OPENED_MS = 60_000;

/**
 * The first of `count` consecutive ports that are free now. The workers of a run look in ranges of their own, as do
 * most runs beside each other: what is free may be about to be opened. With a `place`, one after another is given the
 * same ports while they are free; those of different places are never the same.
 */
export async function freePorts(count: number, { place }: { place?: number } = {}): Promise<number> {
  const { SHARED_SYSTEMS_OF: run = process.pid, JEST_WORKER_ID: worker = 1 } = process.env;
  const range = LOWEST + ((Number(run) * 5 + Number(worker)) % RANGES) * RANGE;
  for (let attempt = 0; attempt < 100; attempt++) {
    const isPlaced = place !== undefined && attempt === 0;
    const first = range + (isPlaced ? place * count : Math.floor(Math.random() * (RANGE - count)));
    const ports = Array.from({ length: count }, (_, offset) => first + offset);
    if (!isPlaced && ports.some((port) => performance.now() - (givenAt.get(port) ?? -Infinity) < TO_BE_OPENED_MS))
      continue;
    // Before anybody else who asks meanwhile is given them.
    for (const port of ports) givenAt.set(port, performance.now());
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
    for (const port of ports) givenAt.delete(port);
  }
  throw new Error("No free ports found");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
