import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Where what was built is kept, by the content that it was built of. */
export const BUILT = join(ROOT, "web", ".built");
const BUILDER = fileURLToPath(new URL("./build.ts", import.meta.url));
/** What the console shows of roles. */
const SCOPES = join(ROOT, "broker", "contract", "scopes.ts");

/** What a build depends on: the pages, the client, the versions of the packages, and how they are built. */
export function contentHash(): string {
  const hash = createHash("sha256");
  const files = ["web", "clients/typescript/src"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(BUILT))
      .sort(),
  );
  for (const path of [...files, SCOPES, join(ROOT, "package-lock.json"), BUILDER])
    hash.update(path.slice(ROOT.length)).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex").slice(0, 24);
}
