import { DocumentStoreError, hasStoreCode } from "./port.ts";

/** Another may end between the refused insert and the look for it. */
const MOST_TRIES = 5;

/**
 * Starts work that is unique while it runs, or returns what runs: `insert` writes its record, unique by an index, in
 * one batch with its task; `running` returns the record of the work under way.
 * @throws UNAVAILABLE if the store reports one but does not show it
 */
export async function startUnique<T>(
  name: string,
  { insert, running }: { insert: () => Promise<T>; running: () => Promise<T | null> },
): Promise<{ record: T; isOwn: boolean }> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      return { record: await insert(), isOwn: true };
    } catch (error) {
      if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
    }
    const record = await running();
    if (record) return { record, isOwn: false };
  }
  throw new DocumentStoreError("UNAVAILABLE", `The store reports that ${name} is running but does not show it`);
}
