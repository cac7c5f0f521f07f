import { createHash } from "node:crypto";
import { normalize } from "../generators/manuals/number-families.ts";
import { generateManual } from "../generators/manuals/generate.ts";
import { SAMPLE_MANUALS, SAMPLE_NAMES } from "../../../../sandbox/src/manuals/manuals.ts";
import { SAMPLES } from "../generators/manuals/samples.ts";
import type { ManualTruth, PartTruth } from "../generators/manuals/truth.ts";

export interface KnownManual {
  sha256: string;
  truth: ManualTruth;
}

export function knownManual({ pdf, truth }: { pdf: Uint8Array; truth: ManualTruth }): KnownManual {
  return { sha256: createHash("sha256").update(pdf).digest("hex"), truth };
}

/** Those that a fresh start has read, or all. */
export async function sampleManuals(areAllRead: boolean): Promise<KnownManual[]> {
  const manuals = SAMPLE_NAMES.filter((name) => areAllRead || SAMPLE_MANUALS[name].isRead).map((name) => SAMPLES[name]);
  return Promise.all(manuals.map(async ({ seed, options }) => knownManual(await generateManual(seed, options))));
}

/** The places where numbers are printed, over all manuals. */
export class PrintedNumbers {
  private readonly parts = new Map<string, { sha256: string; part: PartTruth }[]>();

  constructor(manuals: readonly KnownManual[]) {
    for (const { sha256, truth } of manuals) {
      for (const part of truth.parts) {
        for (const norm of new Set([part.pnNorm, normalize(part.partNumber)]))
          this.parts.set(norm, [...(this.parts.get(norm) ?? []), { sha256, part }]);
      }
    }
  }

  has(partNumber: string): boolean {
    return this.parts.has(normalize(partNumber));
  }

  /** Places of a number. */
  places(partNumber: string): readonly { sha256: string; part: PartTruth }[] {
    return this.parts.get(normalize(partNumber)) ?? [];
  }
}

/** Can be read without recognising pictures. */
export function isReadable({ truth }: KnownManual, { page }: PartTruth): boolean {
  return !truth.pages[page - 1]!.isScanned;
}

/** Rows of the manual's tables whose name no other number of it has: what a question by name means. */
export function plainlyNamed(manual: KnownManual): PartTruth[] {
  const { parts } = manual.truth;
  return parts.filter(
    (part) =>
      part.ledBy === "column-header" &&
      part.layout !== "supersession" &&
      part.replacedBy === undefined &&
      isReadable(manual, part) &&
      part.name!.includes(" ") &&
      parts.every(({ name, pnNorm }) => name !== part.name || pnNorm === part.pnNorm),
  );
}
