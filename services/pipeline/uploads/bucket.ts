import { validationFailed } from "../../../mixins/errors.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import type { JobEntry } from "../collections.ts";
import { STAGED } from "../object-keys.ts";
import { baseNameOf } from "./filename.ts";

/** What this system keeps in the same store. */
const OWN = ["manuals/", "media/", STAGED];

/**
 * The PDFs below a folder of the store, in the order of their keys. @throws VALIDATION_FAILED naming `prefix`,
 * UNAVAILABLE
 */
export async function pdfsBelow(objects: ObjectStore, folder: string, most: number): Promise<JobEntry[]> {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  if (OWN.includes(`${prefix.split("/")[0]}/`))
    throw validationFailed({
      field: "prefix",
      message: "The 'prefix' field must not be a folder that the system itself keeps files in.",
    });
  const found: JobEntry[] = [];
  for await (const { key } of objects.list(prefix)) {
    if (/\.pdf$/i.test(key)) found.push({ name: baseNameOf(key), key });
    if (found.length === most) break;
  }
  return found;
}
