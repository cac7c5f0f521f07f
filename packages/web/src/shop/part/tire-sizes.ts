import type { Partline, PartPreview, WholePart } from "@partline/client";

/** The same tire in one of its sizes. */
export interface TireSize {
  slug: string;
  /** `16x6.50-8, 2 ply`. */
  size: string;
}

/** A tire in all of its sizes, its own first: the only parts that are variants of each other. */
export interface TireSizes {
  /** Brand, kind and tread: `Carlisle Turf Tire Multi Trac`. */
  name: string;
  sizes: readonly TireSize[];
}

const MOST_READ = 100;
const PLY = /(?<!\d)(\d{1,2})[\s-]?(?:ply|pr)(?!\w)/i;

/**
 * Returns what reads the size out of a title that says the same as this tire's except its size; undefined if the part
 * is no tire with a tread, or its title has another order.
 */
export function createSizeReader({ title, tire }: Pick<WholePart, "title" | "tire">) {
  const start = tire?.pattern === undefined ? -1 : title.toLowerCase().indexOf(tire.size.toLowerCase());
  if (start < 1 || tire?.pattern === undefined) return undefined;
  const [kind, tread] = [title.slice(0, start), ` ${tire.pattern}`];
  const readSize = (otherTitle: string): string | undefined => {
    const [size = "", ...rest] = otherTitle.startsWith(kind) ? otherTitle.slice(kind.length).split(tread) : [];
    const textAfter = rest.join(tread);
    if (rest.length === 0 || !/^\S*\d\S*$/.test(size) || /^\w/.test(textAfter)) return undefined;
    const ply = PLY.exec(textAfter)?.[1];
    return ply === undefined ? size : `${size}, ${ply} ply`;
  };
  return { name: kind.trim() + tread, readSize };
}

/** Reads in which other sizes a tire is sold; undefined if in none. Nobody searched, so no search is recorded. */
export async function loadTireSizes(partline: Partline, part: WholePart): Promise<TireSizes | undefined> {
  const { title, slug, manufacturer, tire } = part;
  const reader = createSizeReader(part);
  const ownSize = reader?.readSize(title);
  if (!reader || ownSize === undefined) return undefined;
  const params = { query: `${manufacturer.name} ${tire?.pattern ?? ""}`, hitsPerPage: MOST_READ, analytics: false };
  const answer = await partline.search
    .instantsearch({ requests: [{ indexName: "parts", params }] })
    .catch(() => undefined);
  const hits = (answer?.results[0]?.["hits"] ?? []) as PartPreview[];
  // What has the same size differs by something else: it is no other size.
  const slugs = new Map([[ownSize, slug]]);
  for (const hit of hits) {
    const size = hit.manufacturer.name === manufacturer.name ? reader.readSize(hit.title) : undefined;
    if (size !== undefined && !slugs.has(size)) slugs.set(size, hit.slug);
  }
  if (slugs.size === 1) return undefined;
  const sizes = [...slugs].map(([size, slugOfSize]) => ({ size, slug: slugOfSize }));
  return { name: `${manufacturer.name} ${reader.name}`, sizes };
}
