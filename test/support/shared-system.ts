import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nameClient } from "./client-address.ts";
import { eventually } from "./eventually.ts";
import { clientOf, modeOfTest, type Mode, type SystemClient } from "./system.ts";

const KEEPER = fileURLToPath(new URL("./shared-system.keeper.ts", import.meta.url));
const STARTS_WITHIN_MS = 150_000;

/** Signs webhooks as the identity provider: the shared systems know it, others are given it. */
export const IDENTITY_WEBHOOK_SECRET = "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==";

/** What runs for all that share it. With `readsSamples` it reads the sandbox's sample manuals. */
export interface SharedSystem {
  mode: Mode;
  readsSamples: boolean;
}

/** What the keeper of a shared system writes once it is ready, or could not be made so. */
export type Kept = { firstPort: number } | { error: string };

/**
 * The one system of a mode for the suites that leave it as others need it: they neither stop it, nor want settings of
 * their own, nor count what others add to; each is a client of its own. The first of them starts it, in a process of
 * its own, which ends it when no suite has used it for a minute: the next would start another. `end` says that this
 * suite uses it no more.
 */
export async function joinSystem({ readsSamples = false }: { readsSamples?: boolean } = {}): Promise<{
  system: SystemClient;
  end: () => Promise<void>;
}> {
  const { SHARED_SYSTEMS: directory, SHARED_SYSTEMS_OF: jest } = process.env;
  if (directory === undefined || jest === undefined) throw new Error("Jest's globalSetup has not run");
  const shared = { mode: modeOfTest(), readsSamples };
  const files = filesOf(directory, shared);
  const use = join(files.uses, `${process.pid}_${randomUUID()}`);
  await eventually(() => {
    if (makeFirst(files, use)) keep(directory, shared, jest);
    else writeFileSync(use, "");
    return true;
  }, STARTS_WITHIN_MS);
  const end = (): Promise<void> => rm(use, { force: true });
  const kept = await eventually(() => JSON.parse(readFileSync(files.kept, "utf8")) as Kept, STARTS_WITHIN_MS);
  if ("error" in kept) {
    await end();
    throw new Error(kept.error);
  }
  const output = (): string => readFileSync(files.output, "utf8");
  return { system: clientOf(shared.mode, kept.firstPort, output, nameClient()), end };
}

/**
 * `uses` has a file for each suite that uses the system, named after its process. It goes when the system is to end,
 * which nobody can use from then on.
 */
export function filesOf(directory: string, { mode, readsSamples }: SharedSystem) {
  const own = join(directory, readsSamples ? `${mode}-samples` : mode);
  return {
    directory: own,
    uses: join(own, "uses"),
    kept: join(own, "kept.json"),
    output: join(own, "output.txt"),
    over: join(directory, "over"),
  };
}

/** Whether there was none: the directory comes into being with its first use in it. */
function makeFirst({ directory, uses }: ReturnType<typeof filesOf>, use: string): boolean {
  const made = mkdtempSync(`${directory}-new-`);
  try {
    mkdirSync(join(made, "uses"));
    writeFileSync(use.replace(uses, join(made, "uses")), "");
    renameSync(made, directory);
    return true;
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}

/** Jest's workers count from 1: the system's ports (ports.ts) are none of theirs. */
const KEEPERS_WORKER_ID = "0";

function keep(directory: string, shared: SharedSystem, jest: string): void {
  const output = openSync(filesOf(directory, shared).output, "a");
  const words = [directory, JSON.stringify(shared), jest];
  spawn(process.execPath, ["--disable-warning=ExperimentalWarning", KEEPER, ...words], {
    detached: true,
    stdio: ["ignore", output, output],
    env: { ...process.env, JEST_WORKER_ID: KEEPERS_WORKER_ID },
  }).unref();
}
