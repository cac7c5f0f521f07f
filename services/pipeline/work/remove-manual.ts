import { READINGS, type ReadingDocument } from "../collections.ts";
import { prefixOf } from "../../shared/manual-objects.ts";
import { removeBelow } from "../remove-below.ts";
import type { WorkDeps } from "./deps.ts";

/**
 * Deletes a manual's objects, so that its file can be sent again. What another node adds later goes with the leftovers.
 */
export async function removeManual(
  _id: string,
  { documents, objects }: Pick<WorkDeps, "documents" | "objects">,
  signal: AbortSignal,
): Promise<void> {
  const readings = documents.collection<ReadingDocument>(READINGS);
  const reading = await readings.findOne({ _id });
  if (reading?.leftovers !== "going") return;
  await removeBelow(objects, prefixOf(reading.sha256), signal);
  await readings.updateOne({ _id, leftovers: "going" }, { $unset: { leftovers: true } });
}
