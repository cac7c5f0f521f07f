import { DEFAULT_SYNONYMS, parseSynonyms } from "@partline/parts-language/terms";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { invalidField } from "../../mixins/errors.ts";
import { KeyedQueue } from "@partline/toolkit";
import { type SearchIndex } from "@partline/parts-search";

/** Synonyms that an operator set for a language; `_id` is the language. */
interface SynonymsDocument extends Document {
  lines: string[];
}

const SYNONYMS: CollectionDefinition = { name: "search_synonyms" };

/** Another process's change is in effect after this, at most. */
const LOOK_EVERY_MS = 30_000;

interface Deps {
  documents: DocumentStore;
  /** Called when other synonyms are in effect. */
  onChange(): void;
  onError(error: unknown): void;
}

/** The synonyms of each language: the product's own, or what an operator has set in their place. */
export function createShopSynonyms({ documents, onChange, onError }: Deps) {
  const stored = documents.collection<SynonymsDocument>(SYNONYMS);
  const turns = new KeyedQueue();
  let following: { index: Pick<SearchIndex, "useSynonyms">; used: string; timer: NodeJS.Timeout } | undefined;

  async function listSets() {
    const ownLines = new Map((await stored.find({}, { sort: { _id: 1 } })).map(({ _id, lines }) => [_id, lines]));
    const languages = [...new Set<string>([...Object.keys(DEFAULT_SYNONYMS), ...ownLines.keys()])];
    const defaults: Partial<Record<string, readonly string[]>> = DEFAULT_SYNONYMS;
    return languages.map((language) => ({
      language,
      isDefault: !ownLines.has(language),
      lines: [...(ownLines.get(language) ?? defaults[language] ?? [])],
    }));
  }
  const listLines = async (): Promise<string[]> => (await listSets()).flatMap((set) => set.lines);
  /** @throws VALIDATION_FAILED naming the first line that is none */
  const check = (newLines: readonly string[]): void => {
    for (const [index, line] of newLines.entries()) {
      try {
        parseSynonyms(line);
      } catch (error) {
        throw invalidField(`lines[${index}]`, (error as Error).message);
      }
    }
  };
  const apply = (): Promise<void> =>
    turns.run("apply", async () => {
      const now = await listLines();
      const text = now.join("\n");
      if (!following || following.used === text) return;
      await following.index.useSynonyms(now);
      following.used = text;
      onChange();
    });

  return {
    sets: listSets,
    lines: listLines,
    /**
     * All lines, with the given ones in place of a language's own.
     * @throws VALIDATION_FAILED as `set`
     */
    async listLinesWith(language: string, newLines: readonly string[]): Promise<string[]> {
      check(newLines);
      const otherSets = (await listSets()).filter((set) => set.language !== language);
      return [...otherSets.flatMap((set) => set.lines), ...newLines];
    },
    /** @throws VALIDATION_FAILED naming the first line that is none */
    async set(language: string, newLines: readonly string[]): Promise<void> {
      check(newLines);
      await stored.replaceOne({ _id: language }, { _id: language, lines: [...newLines] }, { upsert: true });
      await apply();
    },
    async reset(language: string): Promise<void> {
      await stored.deleteOne({ _id: language });
      await apply();
    },
    /** @param opened what the index was opened with */
    follow(index: Pick<SearchIndex, "useSynonyms">, opened: readonly string[]): void {
      const timer = setInterval(() => void apply().catch(onError), LOOK_EVERY_MS).unref();
      following = { index, used: opened.join("\n"), timer };
    },
    stop(): void {
      clearInterval(following?.timer);
      following = undefined;
    },
  };
}
