import { generateManual, type ManualOptions } from "../generators/manuals/generate.ts";
import { MAKERS } from "../generators/manuals/makers.ts";
import type { ManualTruth } from "../generators/manuals/truth.ts";

export interface GeneratedManual {
  pdf: Buffer;
  truth: ManualTruth;
}

/** Manuals of every maker in turns, one after another, the same for the same name. */
export async function* manualSet(
  name: string,
  count: number,
  options: ManualOptions = {},
): AsyncGenerator<GeneratedManual> {
  const models = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const { vendor } = MAKERS[index % MAKERS.length]!;
    for (let attempt = 0; ; attempt += 1) {
      const manual = await generateManual(`${name} ${index}.${attempt}`, { vendor, ...options });
      if (manual.truth.models.some((model) => models.has(model))) continue;
      for (const model of manual.truth.models) models.add(model);
      yield manual;
      break;
    }
  }
}
