import type { Found } from "../results/page-results.ts";

/** What the process that puts a manual together is given, and what it answers. */

export interface AssemblyJob {
  /** Holds `ranges/N.ndjson` for each range; what is made of them is written beside that. */
  folder: string;
  ranges: number;
  given: GivenFacts;
}

/** What whoever sent a manual says of it. */
export interface GivenFacts {
  sha256: string;
  filename: string;
  equipment: string[];
  manufacturer?: string;
  /** Of the file, those that could not be read included. */
  pages: number;
}

/** A file that was written, below the job's folder and below the manual's prefix alike. */
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
