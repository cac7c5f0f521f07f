import { Readable } from "node:stream";
import { ADMIN_TOKEN, startSystem, type System } from "../../../test/support/system.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { vendorRows } from "../generated-catalog/rows.ts";
import { vendorsOf } from "../generated-catalog/vendors.ts";

/** A running node with the generated parts in its catalog and index beside the sandbox's own, by the import of their price files. */
export async function startFilledSystem(parts: number, env?: Record<string, string>): Promise<{ system: System; importSeconds: number }> {
  const system = await startSystem({ env });
  try {
    const startedAt = performance.now();
    for (const vendor of vendorsOf(parts)) if (vendor.parts > 0) await importFile(system, vendor.code, lines(vendorRows(vendor)));
    const importSeconds = (performance.now() - startedAt) / 1_000;
    await inStep(system);
    return { system, importSeconds };
  } catch (error) {
    await system.kill();
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
  if (!response.ok || (JSON.parse(text) as { refused: unknown[] }).refused.length > 0) throw new Error(`The price file of ${vendor} is answered ${response.status}: ${text.slice(0, 300)}`);
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
export async function inStep(system: System): Promise<void> {
  await eventually(async () => {
    const { body } = await system.request("search", "GET", "/health");
    return (body as { delta: number; docCount_es: number }).delta === 0 && (body as { docCount_es: number }).docCount_es > 0;
  }, 600_000);
}
