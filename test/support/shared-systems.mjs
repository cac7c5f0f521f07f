import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ENDS_WITHIN_MS = 60_000;
const MEMORY = "/dev/shm";
/** Bytes, more than all that the tests have written at once. */
const ROOM = 8e9;

/**
 * Jest's globalSetup: a folder for all that tests write, and in it where the systems that suites share are noted
 * (shared-system.ts).
 */
export default function setUp() {
  process.env.TMPDIR = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), "partline-jest-"));
  process.env.SHARED_SYSTEMS = mkdtempSync(join(tmpdir(), "shared-"));
  process.env.SHARED_SYSTEMS_OF = String(process.pid);
}

/** The tests would wait for the disk for a third of the time. None of them cuts the power. */
function hasRoomInMemory() {
  if (process.env.TMPDIR) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM;
  } catch {
    return false;
  }
}

/** Ends them, and waits until each has taken away what it left on shared servers. */
export async function tearDown() {
  const directory = process.env.SHARED_SYSTEMS;
  writeFileSync(join(directory, "over"), "");
  const left = () => readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const until = Date.now() + ENDS_WITHIN_MS; left().length > 0 && Date.now() < until;) await pause(100);
  for (const { name } of left()) console.error(`The shared system ${name} did not end within ${ENDS_WITHIN_MS} ms`);
  // A process that a test has killed may be on its way out still.
  rmSync(tmpdir(), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
