import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const ENDS_WITHIN_MS = 60_000;

/**
 * Jest's globalSetup: a folder for all that tests write, and in it where the systems that suites share are noted
 * (shared-system.ts).
 */
export default function setUp() {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), "partline-jest-"));
  process.env.SHARED_SYSTEMS = mkdtempSync(join(tmpdir(), "shared-"));
  process.env.SHARED_SYSTEMS_OF = String(process.pid);
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
