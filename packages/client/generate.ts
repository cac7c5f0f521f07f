/**
 * Makes `src/contract.ts`, the half of the client that follows from the contracts of the services: types, and the
 * routes. What types, builds or tests the client runs it first; it does nothing while its sources are the same.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const CONTRACT = join(import.meta.dirname, "src/contract.ts");
/** What the generator and the contracts load: `contracts-hold-no-logic` of `.dependency-cruiser.cjs` holds it. */
const FOLDERS = [
  "broker/contract",
  "gateway/auth",
  "gateway/docs/openapi",
  "packages/api-contracts/src",
  "packages/client/generate",
  "services",
];
const FILES = [
  "gateway/http/errors.ts",
  "gateway/http/routes.ts",
  "mixins/errors.ts",
  "mixins/payment-provider/limits.ts",
  "mixins/shop/languages.ts",
  "mixins/shop/return-limits.ts",
  "mixins/shop/shelves.ts",
  "mixins/shop/shop-days.ts",
  "packages/client/generate.ts",
  "packages/toolkit/src/zone-days.ts",
];
const LOGIC_OF_SERVICES =
  /^services\/(?!shared\/)[^/]+\/(?!(.+\/)?(contract|resources|shape|rules|events|errors|limits|statuses)\.ts$)/;

export function listSources(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return [...FILES, ...files.filter((path) => path.endsWith(".ts") && !LOGIC_OF_SERVICES.test(path))].sort();
}

/** Makes the contract unless it was made from the same sources. */
export async function generateContract(path = CONTRACT): Promise<void> {
  const hash = createHash("sha256");
  for (const source of listSources()) hash.update(`\0${source}\0`).update(readFileSync(join(ROOT, source)));
  const head = `// Made from the contracts of the services: ${hash.digest("hex").slice(0, 24)}\n`;
  if (existsSync(path) && readFileSync(path, "utf8").startsWith(head)) return;
  const [{ contracts }, { writeContract }] = await Promise.all([
    import("../../services/all-contracts.ts"),
    import("./generate/contract.ts"),
  ]);
  // Others may make it, or read it, at the same time.
  const temporary = join(dirname(path), `../.contract-${process.pid}`);
  writeFileSync(temporary, `${head}\n${writeContract(contracts)}`);
  renameSync(temporary, path);
}

if (import.meta.main) await generateContract();
