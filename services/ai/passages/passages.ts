import { figureKey } from "../../../mixins/figure-key.ts";
import type { Passage } from "../../../mixins/passage-index/port.ts";
import type { ManualFile, ManualPage } from "../../shared/manual-objects.ts";
import { schemaName } from "../manuals.ts";
import { cutPage } from "./cut.ts";

/** What passages are made with. */
export interface PassageDeps {
  figures: ManualFile["figures"];
  /** Models that the manual is for. */
  equipment: readonly string[];
  /** Of each page that is for some of them alone, these. */
  onlyOfPage: ReadonlyMap<number, string[]>;
}

/** The passages of pages, in their order. A page without text has none. */
export function passagesOf(
  pages: readonly Pick<ManualPage, "page" | "text" | "figure">[],
  { figures, equipment, onlyOfPage }: PassageDeps,
): Passage[] {
  const schemas = new Map(figures.map((figure) => [figureKey(figure), schemaName(figure)]));
  return pages.flatMap(({ page, text, figure }) => {
    const schema = figure === undefined ? undefined : (schemas.get(figure) ?? figure);
    return cutPage(text).map((piece) => ({
      page,
      ...piece,
      ...(schema === undefined ? {} : { schema }),
      equipment: [...(onlyOfPage.get(page) ?? equipment)],
    }));
  });
}

/** What is embedded of a passage: with what it is about, which it may not say itself. */
export function textToEmbed({ text, schema, heading, equipment }: Passage): string {
  const about = [equipment.join(", "), schema ?? "", heading !== undefined && !text.startsWith(heading) ? heading : ""]
    .filter((part) => part !== "")
    .join(". ");
  return `${about}\n${text}`;
}
