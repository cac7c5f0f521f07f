import type { SearchQuery } from "../../../../parts-search/src/search-index/port.ts";
import type { Engine } from "./contract.ts";

export const ENGINES = ["embedded", "elasticsearch", "minisearch", "orama"] as const;
export type EngineName = (typeof ENGINES)[number];

export async function openEngine(name: EngineName): Promise<Engine> {
  switch (name) {
    case "embedded":
      return (await import("./port.ts")).openEmbedded();
    case "elasticsearch":
      return (await import("./port.ts")).openElasticsearch();
    case "minisearch":
      return (await import("./minisearch.ts")).openMiniSearch();
    case "orama":
      return (await import("./orama.ts")).openOrama();
  }
}

/** Everything that is for sale, as the product's own search asks for it. */
export function plainQuery(q: string, limit: number): SearchQuery {
  return { q, categories: [], manufacturers: [], status: "active", sort: "relevance", offset: 0, limit };
}
