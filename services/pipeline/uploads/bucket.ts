import { validationFailed } from "../../../mixins/errors.ts";
import { hasObjectStoreCode, type ObjectStore } from "../../../mixins/object-store/port.ts";
import type { JobEntry } from "../collections.ts";
import { STAGED } from "../object-keys.ts";
import { baseNameOf } from "./filename.ts";

/** What this system keeps in the same store. */
const OWN = ["manuals/", "media/", STAGED];

/** The PDFs below a folder of the store, at most so many, in the order of their keys. @throws VALIDATION_FAILED naming `prefix`, UNAVAILABLE */
export async function pdfsBelow(objects: ObjectStore, folder: string, most: number): Promise<JobEntry[]> {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  if (OWN.includes(`${prefix.split("/")[0]}/`))
    throw refusedPrefix("The 'prefix' field must not be a folder that the system itself keeps files in.");
  const found: JobEntry[] = [];
  try {
    for await (const { key } of objects.list(prefix)) {
      if (/\.pdf$/i.test(key)) found.push({ name: baseNameOf(key), key });
      if (found.length === most) break;
    }
  } catch (error) {
    if (hasObjectStoreCode(error, "BAD_KEY"))
      throw refusedPrefix(
        "The 'prefix' field must be a folder of the object store: names with slashes between them that do not begin with a dot and have neither backslashes nor control characters.",
      );
    throw error;
  }
  return found;
}

function refusedPrefix(message: string): Error {
  return validationFailed({ field: "prefix", message });
}
