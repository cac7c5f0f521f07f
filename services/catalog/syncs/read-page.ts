import type { PartNews } from "../part-news.ts";
import { readItem } from "../suppliers/item.ts";
import type { Supplier } from "../suppliers/port.ts";

export interface ReadPage {
  news: PartNews[];
  /** Parts listed here first, usable or not. */
  ids: string[];
  problems: { item: number; reason: string }[];
  /** Items without a readable number. */
  unidentified: number;
  repeated: number;
}

/** Reads the items; adds their parts to `listed`. */
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
