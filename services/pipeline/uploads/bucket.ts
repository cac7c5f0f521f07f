import { invalidField, validationFailed } from "../../../mixins/errors.ts";
import type { ObjectStore } from "@partline/durable";
import type { JobEntry } from "../collections.ts";
import { AGAIN, STAGED } from "../object-keys.ts";
import { toBaseName } from "./filename.ts";

/** Folders that this system keeps in the same store. */
const RESERVED_FOLDERS = ["manuals/", "media/", STAGED, AGAIN];

/**
 * Lists the PDFs below a folder of the store, in the order of their keys, and the last key if there are more. @throws
 * VALIDATION_FAILED naming `prefix` or `after`, UNAVAILABLE
 */
export async function listPdfs(
  objects: ObjectStore,
  { prefix, after, limit }: { prefix: string; after?: string; limit: number },
): Promise<{ entries: JobEntry[]; next?: string }> {
  const folder = prefix.endsWith("/") ? prefix : `${prefix}/`;
  if (RESERVED_FOLDERS.includes(`${folder.split("/")[0]}/`))
    throw validationFailed({
      field: "prefix",
      message: "The 'prefix' field must not be a folder that the system itself keeps files in.",
    });
  if (after?.startsWith(folder) === false)
    throw invalidField("after", `must be the 'next' of an answer for the folder ${folder}`);
  const entries: JobEntry[] = [];
  for await (const { key } of objects.list(folder, after)) {
    if (!/\.pdf$/i.test(key)) continue;
    if (entries.length === limit) return { entries, next: entries.at(-1)!.key };
    entries.push({ name: toBaseName(key), key });
  }
  return { entries };
}
