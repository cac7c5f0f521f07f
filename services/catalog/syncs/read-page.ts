import type { PartNews } from "../part-news.ts";
import { readItem } from "../suppliers/item.ts";
import type { Supplier } from "../suppliers/port.ts";

export interface ReadPage {
  news: PartNews[];
  /** Of the parts that are listed here for the first time, usable or not. */
  ids: string[];
  problems: { item: number; reason: string }[];
  /** Problems of items of which nobody can tell what part they are. */
  unidentified: number;
  repeated: number;
}

/** The items of a page, one by one. `listed` are the parts that were listed before; those of this page are added. */
export function readPage(supplier: Supplier, items: readonly unknown[], listed: Set<string>): ReadPage {
  const page: ReadPage = { news: [], ids: [], problems: [], unidentified: 0, repeated: 0 };
  for (const [index, item] of items.entries()) {
    const { id, news, reason } = readItem(supplier, item);
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
    if (news) page.news.push(news);
    else page.problems.push({ item: index + 1, reason });
  }
  return page;
}
