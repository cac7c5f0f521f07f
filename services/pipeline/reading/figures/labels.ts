import type { PageFindings } from "../findings.ts";

/** If chapters count their figures anew, later ones with another title get a label of label and title. */
export function withDistinctLabels(pages: readonly PageFindings[]): PageFindings[] {
  const first = new Map<string, string>();
  const latest = new Map<string, string>();
  return pages.map((page) => {
    const renamed = new Map<string, string>();
    const figures = page.figures.map((figure) => {
      const title = figure.title || (latest.get(figure.label) ?? "");
      if (figure.label === "" || title === "") return figure;
      if (!first.has(figure.label)) first.set(figure.label, title);
      latest.set(figure.label, title);
      if (folded(first.get(figure.label)!) === folded(title)) return figure;
      renamed.set(figure.label, `${figure.label} ${title}`);
      return { ...figure, label: "", title: `${figure.label} ${title}` };
    });
    return {
      ...page,
      figures,
      parts: page.parts.map((part) =>
        part.figure !== undefined && renamed.has(part.figure) ? { ...part, figure: renamed.get(part.figure)! } : part,
      ),
    };
  });
}

const folded = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();
