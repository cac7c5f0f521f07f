import type { Passage } from "../../../mixins/passage-index/port.ts";
import { figureKey, type ManualFile, type ManualPage } from "../../shared/manual-objects.ts";
import { schemaName } from "../manual-source.ts";
import { cutPage } from "./cut.ts";

export interface PassageDeps {
  figures: ManualFile["figures"];
  equipment: readonly string[];
  /** If not for all. */
  onlyOfPage: ReadonlyMap<number, string[]>;
}

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
      schema,
      equipment: [...(onlyOfPage.get(page) ?? equipment)],
    }));
  });
}

/** Returns the text to embed of a passage, with its equipment, diagram and heading. */
export function textToEmbed({ text, schema, heading, equipment }: Passage): string {
  const about = [equipment.join(", "), schema ?? "", heading !== undefined && !text.startsWith(heading) ? heading : ""]
    .filter((part) => part !== "")
    .join(". ");
  return `${about}\n${text}`;
}
