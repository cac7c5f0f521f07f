import type { Found } from "../results/page-results.ts";

export interface AssemblyJob {
  /** Has `ranges/N.ndjson`; results are written beside that. */
  folder: string;
  ranges: number;
  given: GivenFacts;
}

export interface GivenFacts {
  sha256: string;
  filename: string;
  equipment: string[];
  manufacturer?: string;
  /** Of the file, unreadable ones included. */
  pages: number;
}

/** Its path is the same below the folder and the manual's prefix. */
export interface WrittenFile {
  name: string;
  contentType: string;
}

export interface Assembled {
  files: WrittenFile[];
  found: Pick<Found, "parts" | "tables">;
  equipment: string[];
  manufacturer?: string;
}
