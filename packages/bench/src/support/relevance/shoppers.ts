import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import type { System } from "../../../../../test/support/system.ts";

/** A judged search of the corpus beside the repository; its README says what `want` means. */
interface ShopperQuery {
  kind: string;
  query: string;
  want: string;
  note: string;
}

interface Hit {
  productId: string;
  title: string;
  category: string;
  manufacturer: { code: string };
}

export interface Answered {
  kind: string;
  query: string;
  isRight: boolean;
  found: string[];
}

const FIRST = 5;
/** Number of right parts that the first five results of kind `browse` must have. */
const MOST_OF_FIRST = 4;

const OF_OTHERS =
  process.env.JUDGED_SEARCHES ??
  fileURLToPath(new URL("../../../../shared/corpus/shopper-queries.tsv", import.meta.url));
const OWN = fileURLToPath(new URL("./shopper-queries.tsv", import.meta.url));

/** Sets by people who have not read the code: that of the repository, and another where it is there. */
export const SHOPPER_SETS = [
  { name: "by others", file: OF_OTHERS },
  { name: "our own", file: OWN },
].filter(({ file }) => existsSync(file));

/** Asks the running shop what shoppers type, over HTTP. */
export async function askAsShoppers(system: System, file: string): Promise<Answered[]> {
  const rows = parse<ShopperQuery>(readFileSync(file), { columns: true, delimiter: "\t", quote: false });
  const answered: Answered[] = [];
  for (const { kind, query, want, note } of rows) {
    const path = `/api/search?limit=${FIRST}&q=${encodeURIComponent(query)}`;
    const { parts } = (await system.request("gateway", "GET", path)).body as { parts: Hit[] };
    const isRight = want === "NONE" ? parts.length === 0 : isAsWanted(parts, JSON.parse(want) as string[], kind, note);
    answered.push({ kind, query, isRight, found: parts.map(({ productId }) => productId) });
  }
  return answered;
}

function isAsWanted(parts: readonly Hit[], wantedParts: readonly string[], kind: string, note: string): boolean {
  if (note === "all") return wantedParts.every((want) => parts.some((part) => meets(part, want)));
  const right = parts.filter((part) => wantedParts.some((want) => meets(part, want))).length;
  return right >= (kind === "browse" ? MOST_OF_FIRST : 1);
}

function meets({ productId, title, category, manufacturer }: Hit, want: string): boolean {
  return want.split("&").every((condition) => {
    const [, name, value = ""] = /^(title|vendor|category)[~=](.*)$/s.exec(condition) ?? [];
    if (name === "title") return new RegExp(value).test(title);
    if (name === "vendor") return manufacturer.code === value;
    return name === "category" ? category === value : productId === condition;
  });
}
