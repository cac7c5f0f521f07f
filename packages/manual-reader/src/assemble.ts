import { normalizePartNumber, type VendorCode } from "@partline/parts-language";
import { joinFigures, linkFigures } from "./figures/link.ts";
import { type FoundPart, isListed, type Manual, type PageFindings } from "./findings.ts";
import { identifyMachine } from "./models/machine.ts";
import { makerIn } from "./models/makers.ts";
import { continueTables, withoutRunning } from "./parts/continued.ts";
import { familyOf, OUR_SKU } from "./parts/families.ts";
import { joinMentions } from "./parts/join.ts";
import { vendorOf } from "./parts/scan.ts";

/** As the sender knows it. */
export interface Given {
  sha256: string;
  filename: string;
  /** Of the file itself. */
  title?: string;
  author?: string;
  /** Titles of its outline. */
  chapters?: readonly string[];
  /** They count for more than what the manual says. */
  equipment?: readonly string[];
  manufacturer?: string;
}

/** Puts pages together: continued tables get their columns, parts their figures, and replacements hold on all pages. */
export function assemble(
  given: readonly PageFindings[],
  { sha256, filename, title, author, chapters, ...facts }: Given,
): { manual: Manual; pages: PageFindings[] } {
  const sorted = [...given].sort((a, b) => a.page - b.page);
  const listed = new Set(sorted.flatMap(({ parts }) => parts.filter(isListed).map(({ pnNorm }) => pnNorm)));
  const machine = identifyMachine({ filename, title, author, chapters, pages: sorted, listed }, facts);
  const { equipment: models, manufacturer } = machine;
  const maker = makerIn(manufacturer ?? "");
  const known = {
    models: new Set([...models, ...sorted.flatMap((page) => page.models)].map(normalizePartNumber)),
    vendor: maker?.vendor,
  };
  const continued = withoutRunning(continueTables(sorted, known));
  const linked = linkFigures(continued);
  const pages = replacedEverywhere(linked).map((page) => {
    const parts = page.parts.filter(({ pnNorm }) => !known.models.has(pnNorm));
    return { ...page, parts: joinMentions(maker?.vendor ? ofMaker(parts, maker.vendor) : parts) };
  });
  return {
    manual: {
      sha256,
      filename,
      title: titleOfManual(sorted[0], filename, title),
      ...machine,
      pages: pages.length,
      figures: joinFigures(pages),
    },
    pages,
  };
}

function ofMaker(parts: readonly FoundPart[], vendor: VendorCode): FoundPart[] {
  return parts.map((part) =>
    part.pattern === OUR_SKU ? part : { ...part, ...vendorOf(part.partNumber, familyOf(part.partNumber), vendor) },
  );
}

function replacedEverywhere(pages: readonly PageFindings[]): PageFindings[] {
  const by = new Map(
    pages.flatMap(({ parts }) =>
      parts.flatMap(({ pnNorm, replacedBy }) => (replacedBy ? [[pnNorm, replacedBy] as const] : [])),
    ),
  );
  const told = (part: FoundPart): FoundPart =>
    part.replacedBy === undefined && by.has(part.pnNorm) ? { ...part, replacedBy: by.get(part.pnNorm)! } : part;
  return pages.map((page) => ({ ...page, parts: page.parts.map(told) }));
}

const NAMES_A_MANUAL = /\b(?:manual|catalog(?:ue)?|parts? list|parts book|handbook|guide|breakdown)\b/i;
const LONGEST = 120;

/** Its name on the first page, else what the file says of itself, which often is the name of a draft. */
function titleOfManual(first: PageFindings | undefined, filename: string, title = ""): string {
  const lines = (first?.text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line) && line.length <= LONGEST);
  const names = [...lines.slice(0, 12), title];
  return names.find((name) => NAMES_A_MANUAL.test(name)) ?? lines[0] ?? filename.replace(/\.pdf$/i, "");
}
