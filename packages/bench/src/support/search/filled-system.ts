import { rmSync } from "node:fs";
import { Readable } from "node:stream";
import { ADMIN_TOKEN, startSystem, type System } from "../../../../../test/support/system.ts";
import { eventually } from "../../../../../test/support/eventually.ts";
import { vendorRows } from "../generated-catalog/price-rows.ts";
import { generateVendors } from "../generated-catalog/vendors.ts";

export interface FilledSystem {
  system: System;
  importSeconds: number;
  /** Stops it and removes its data. */
  end(): Promise<void>;
}

/**
 * A running node with the generated parts in its catalog and index beside the sandbox's own, by the import of their
 * price files. It does not outlive this process, and its data does not either.
 */
export async function startFilledSystem(parts: number, env?: Record<string, string>): Promise<FilledSystem> {
  const system = await startSystem({ env });
  const remove = (): void => {
    for (const child of system.processes) child.kill("SIGKILL");
    rmSync(system.dataDir, { recursive: true, force: true });
  };
  const exit = (): void => process.exit(1);
  process.once("exit", remove).once("SIGINT", exit).once("SIGTERM", exit);
  const end = async (): Promise<void> => {
    await system.stop();
    remove();
    process.off("exit", remove).off("SIGINT", exit).off("SIGTERM", exit);
  };
  try {
    const startedAt = performance.now();
    for (const vendor of generateVendors(parts))
      if (vendor.parts > 0) await importFile(system, vendor.code, lines(vendorRows(vendor)));
    const importSeconds = (performance.now() - startedAt) / 1_000;
    await inStep(system);
    return { system, importSeconds, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Imports a vendor's price file (NDJSON). @throws Error when it is not taken as a whole */
export async function importFile(system: System, vendor: string, file: Iterable<string>): Promise<void> {
  const response = await fetch(`${system.url("catalog")}/catalog/import/${vendor}`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson", "x-admin-token": ADMIN_TOKEN },
    body: Readable.toWeb(Readable.from(file)) as ReadableStream<Uint8Array>,
    duplex: "half",
  });
  const text = await response.text();
  if (!response.ok || (JSON.parse(text) as { refused: unknown[] }).refused.length > 0)
    throw new Error(`The price file of ${vendor} is answered ${response.status}: ${text.slice(0, 300)}`);
}

/** NDJSON, some rows at a time. */
export function* lines(rows: Iterable<object>): Iterable<string> {
  let chunk = "";
  for (const row of rows) {
    chunk += `${JSON.stringify(row)}\n`;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

/** Waits until the index holds what the catalog holds. */
async function inStep(system: System): Promise<void> {
  await eventually(async () => {
    const { body } = await system.request("search", "GET", "/health");
    return (
      (body as { delta: number; docCount_es: number }).delta === 0 && (body as { docCount_es: number }).docCount_es > 0
    );
  }, 600_000);
}
