import { isPartlineError, type Partline } from "@partline/client";
import nouns from "words:part-nouns";
import { fill, type Language } from "../../shared/language.ts";
import type { Shop } from "../context.tsx";
import { findKind } from "../kit/icons/part-icon.tsx";

type Reader = Pick<Shop, "texts" | "language">;
const PARTS_READ = 100;
const MOST_OF_A_MACHINE = 3;
/** Kinds that nobody asks an expert for. */
const DULL = new Set(["bolt", "decal", "book", "other"]);

/** Lists questions that this shop answers: about parts that it sells for a machine, and about one that it has here. */
export async function loadSuggestions(
  partline: Partline,
  equipment: string | undefined,
  reader: Reader,
): Promise<string[]> {
  const [machineQuestions, stockQuestions] = await Promise.all([
    listMachineSuggestions(partline, equipment, reader),
    equipment === undefined ? listStockSuggestions(partline, reader) : [],
  ]);
  return [...machineQuestions, ...stockQuestions];
}

async function listMachineSuggestions(
  partline: Partline,
  equipment: string | undefined,
  { texts, language }: Reader,
): Promise<string[]> {
  const machine = equipment ?? (await skipRefusal(partline.ai.manuals({ pageSize: 1 })))?.manuals[0]?.equipment[0];
  if (machine === undefined) return [];
  const { parts = [] } = (await skipRefusal(partline.ai.equipment({ model: machine, pageSize: PARTS_READ }))) ?? {};
  const names = new Map<string, string>();
  for (const { productId, description } of parts) {
    // `Carburetor, with Gasket`
    const name = productId === null ? "" : (description?.split(",")[0] ?? "");
    const kind = findKind(name);
    const noun = kind === undefined || DULL.has(kind) || names.has(kind) ? undefined : findNoun(name, language);
    if (kind !== undefined && noun !== undefined) names.set(kind, noun);
  }
  return [...names.values()].slice(0, MOST_OF_A_MACHINE).map((part) => fill(texts.deskTryPart, { part, machine }));
}

/** Returns what people call a part in a language; undefined if nobody wrote it down: a catalog's names are English. */
function findNoun(name: string, language: Language): string | undefined {
  const lowerName = name.toLowerCase();
  return language === "en" ? lowerName : (nouns[language][lowerName] ?? nouns[language][lowerName.replace(/s$/, "")]);
}

async function listStockSuggestions(partline: Partline, { texts }: Reader): Promise<string[]> {
  const { parts = [] } = (await skipRefusal(partline.search.search({ inStock: true, limit: 1 }))) ?? {};
  return parts.map(({ partNumber }) => fill(texts.deskTryStock, { number: partNumber }));
}

/** Undefined if the API refuses or is away: a page does without its suggestions. */
async function skipRefusal<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isPartlineError(error)) return undefined;
    throw error;
  }
}
