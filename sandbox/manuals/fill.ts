import type { FillMark } from "../catalog/fill-mark.ts";
import { SAMPLE_MANUALS, SAMPLE_NAMES, type SampleName } from "./samples.ts";
import { writeSample } from "./write-sample.ts";

export interface ManualsToFill {
  /** No PDF was ever sent. */
  isEmpty(): Promise<boolean>;
  upload(name: SampleName, pdf: Uint8Array): Promise<unknown>;
}

/**
 * Sends the sample manuals to a pipeline that has read none, once. A sending that was cut off is done again: the same bytes are not read
 * twice. Answers how many were sent.
 */
export async function fillManuals(pipeline: ManualsToFill, { sending, sent }: { sending: FillMark; sent: FillMark }): Promise<number> {
  if (await sent.isSet()) return 0;
  if (!(await sending.isSet()) && !(await pipeline.isEmpty())) return 0;
  await sending.set();
  const names = SAMPLE_NAMES.filter((name) => SAMPLE_MANUALS[name].isRead);
  for (const name of names) await pipeline.upload(name, await writeSample(name));
  await sent.set();
  await sending.clear();
  return names.length;
}
