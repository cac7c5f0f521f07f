import { markIn, type FillMark, type MarkedStore } from "../catalog/fill-mark.ts";
import { readSample } from "../samples.ts";
import { SAMPLE_MANUALS, SAMPLE_NAMES, type SampleName } from "./samples.ts";

export interface ManualsToFill {
  /** Whether no PDF was ever sent. */
  isEmpty(): Promise<boolean>;
  upload(name: SampleName, pdf: Uint8Array): Promise<unknown>;
}

export interface ManualMarks {
  /** The sending has begun and not ended. */
  sending: FillMark;
  /** The sending has ended. */
  sent: FillMark;
}

export function manualMarksIn(store: MarkedStore): ManualMarks {
  return { sending: markIn(store, "manuals-sandbox-sending"), sent: markIn(store, "manuals-sandbox-sent") };
}

/**
 * Sends the sample manuals to a pipeline that has read none, once. An interrupted sending is repeated: the pipeline does
 * not read the same bytes twice. Returns the number of manuals sent.
 */
export async function fillManuals(pipeline: ManualsToFill, { sending, sent }: ManualMarks): Promise<number> {
  if (await sent.isSet()) return 0;
  if (!(await sending.isSet()) && !(await pipeline.isEmpty())) return 0;
  await sending.set();
  const names = SAMPLE_NAMES.filter((name) => SAMPLE_MANUALS[name].isRead);
  for (const name of names) await pipeline.upload(name, readSample(`manuals/${name}`));
  await sent.set();
  await sending.clear();
  return names.length;
}
