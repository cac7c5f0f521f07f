import type { PartContent } from "../part.ts";
import type { Vendor } from "../vendors.ts";
import { readTireItem } from "./tire-item.ts";

export interface ReadPage {
  contents: PartContent[];
  /** Of the parts that are listed here for the first time, usable or not. */
  ids: string[];
  problems: { item: number; reason: string }[];
  /** Problems of items of which nobody can tell what part they are. */
  unidentified: number;
  repeated: number;
}

/** The items of a page, one by one. `listed` are the parts that were listed before; those of this page are added. */
export function readTirePage(vendor: Vendor, items: readonly unknown[], listed: Set<string>): ReadPage {
  const page: ReadPage = { contents: [], ids: [], problems: [], unidentified: 0, repeated: 0 };
  for (const [index, item] of items.entries()) {
    const { id, content, reason } = readTireItem(vendor, item);
    if (id !== undefined && listed.has(id)) {
      page.repeated += 1;
      continue;
    }
    if (id === undefined) {
      page.unidentified += 1;
    } else {
      listed.add(id);
      page.ids.push(id);
    }
    if (content) page.contents.push(content);
    else page.problems.push({ item: index + 1, reason });
  }
  return page;
}
