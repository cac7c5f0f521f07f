import type { Request } from "@partline/parts-language/words";
import type { Finding } from "./finding.ts";
import type { Texts } from "./texts.ts";
import type { FoundPart, Offer, Searched } from "./port.ts";

export interface Evidence {
  question: Request;
  /** What is said, in the asker's language. */
  texts: Texts;
  findings: readonly Finding[];
  /** Parts of the answer, the best of each item first; successors behind what they replace. */
  parts: readonly FoundPart[];
  /** By `toPartKey`. */
  offers: ReadonlyMap<string, Offer>;
  /** What could not be searched. */
  failed: ReadonlySet<Searched>;
  /** Words of the question that are not the asker's own, or name manuals; they are not quoted. */
  translated: ReadonlySet<string>;
  /** Titles of manuals that do not say which machine they are for, if an unknown one is asked about. */
  nameless: readonly string[];
  /** Pages with lists that were not read, in manuals of machines of which they list no such part. */
  unreadPages: number;
  /** All equipment of the manuals, if the question asks for it. */
  machines?: readonly string[];
}
