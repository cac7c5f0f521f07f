import type { IndexDocument } from "../../../../parts-search/src/search-index/index-document.ts";
import { normalize } from "../generators/manuals/number-families.ts";

/** The facts that a person sees in a row of the catalog. */
export interface PartFacts {
  id: string;
  vendor: string;
  /** Of its maker; the usual one is the first. */
  names: readonly [string, ...string[]];
  partNumber: string;
  /** The number's letters and digits. */
  number: string;
  /** The kind of part, in words: `air filter pre cleaner`. */
  noun: string[];
  /** Words of the models that it fits: `command`, `ch20`. */
  models: Set<string>;
  /** Every word of the row, the names of its maker too. */
  words: Set<string>;
  isActive: boolean;
  /** The letters and digits of its successor's number, at the same vendor. */
  supersededBy?: string;
}

export interface CatalogFacts {
  parts: PartFacts[];
  /** Every word that the catalog uses. */
  words: Set<string>;
}

/** Reads rows as the sandbox's suppliers write them: `Noun, variant, model` and `… Fits MODEL and MODEL. …` */
export function readFacts(documents: readonly IndexDocument[]): CatalogFacts {
  const allWords = new Set<string>();
  const parts = documents.map((document): PartFacts => {
    const {
      id,
      partNumber,
      title,
      description = "",
      manufacturer,
      vendorName,
      vendorAliases,
      category,
      status,
      supersededBy,
    } = document;
    const words = new Set(
      splitWords(
        [title, description, category, manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" "),
      ),
    );
    for (const word of words) allWords.add(word);
    const fits = /Fits (.+?)\. /.exec(description)?.[1] ?? "";
    return {
      id,
      vendor: manufacturer.code,
      names: [vendorName, ...vendorAliases],
      partNumber,
      number: normalize(partNumber),
      noun: splitWords(title.split(",")[0]!),
      models: new Set(splitWords(`${title.split(",").at(-1)!} ${fits}`)),
      words,
      isActive: status === "active",
      ...(supersededBy === undefined ? {} : { supersededBy: normalize(supersededBy) }),
    };
  });
  return { parts, words: allWords };
}

export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
