import type { Infer } from "../../../broker/contract/rules.ts";
import type { FoundPart } from "../reading/findings.ts";
import type { jobPartRule } from "../resources.ts";
import type { ManualResults } from "../results/manual-results.ts";
import type { JobFile } from "./progress.ts";

export type JobPart = Infer<typeof jobPartRule>;

/** A page of the parts in all files that were read, and their total. */
export async function jobParts(
  files: readonly JobFile[],
  results: Pick<ManualResults, "parts">,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ parts: JobPart[]; total: number }> {
  const read = files.filter(
    ({ status, removed }) => !removed && (status === "completed" || status === "partially_failed"),
  );
  const found: JobPart[] = [];
  let skip = (page - 1) * pageSize;
  for (const { name, sha256, parts } of read) {
    for (; skip < parts && found.length < pageSize;) {
      const some = await results.parts(sha256!, skip, pageSize - found.length);
      if (some.length === 0) break;
      found.push(...some.map((part) => jobPartOf(part, name)));
      skip += some.length;
    }
    skip = Math.max(0, skip - parts);
  }
  return { parts: found, total: read.reduce((sum, { parts }) => sum + parts, 0) };
}

function jobPartOf(part: FoundPart, file: string): JobPart {
  const {
    partNumber: part_number,
    pattern,
    confidence,
    page,
    box: { x, y, width, height },
    quantity,
    description,
  } = part;
  return {
    part_number,
    pattern,
    confidence,
    page,
    bbox: { x, y, width, height },
    quantity: quantity ?? null,
    description: description ?? null,
    file,
  };
}
