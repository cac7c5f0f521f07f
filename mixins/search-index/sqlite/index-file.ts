import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { IndexBatch, IndexDocument, Progress } from "../port.ts";
import { termsOf } from "../text.ts";
import { Columns } from "./columns.ts";
import { Corrector } from "./corrector.ts";

/** Raised when what is in the file changes its meaning: an index of another version is built anew. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE part (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, pn_norm TEXT NOT NULL, document TEXT NOT NULL);
  CREATE INDEX part_by_number ON part (pn_norm);
  CREATE TABLE progress (source TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (
    number, title, manufacturer, category, description,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0', prefix = '3'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row');
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** One dated index: its file, and in memory what filters, facets and the corrector read. */
export class IndexFile {
  readonly name: string;
  readonly columns = new Columns();
  readonly corrector = new Corrector();
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  #count = 0;

  /** Opens the file, or makes it. @throws Error when it is damaged or of another version */
  constructor(name: string, path: string) {
    this.name = name;
    this.#database = new DatabaseSync(path);
    try {
      // What a power cut takes away is read again from its source, together with the progress that knew of it.
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY");
      const version = this.#database.prepare("PRAGMA user_version").get() as { user_version: number };
      if (version.user_version === 0) this.#database.exec(SCHEMA);
      else if (version.user_version !== SCHEMA_VERSION) throw new Error(`${name} is of version ${version.user_version}`);
      this.#statements = prepareAll(this.#database);
      this.#load();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  get count(): number {
    return this.#count;
  }

  write({ documents, progress }: IndexBatch): void {
    const entries = documents.map((document) => ({ document, texts: searchableText(document) }));
    const rows: number[] = [];
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const { document, texts } of entries) rows.push(this.#put(document, texts));
      for (const [source, revision] of Object.entries(progress)) this.#statements.setProgress.run(source, revision);
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
    // In memory only what is committed.
    for (const [index, { document, texts }] of entries.entries()) {
      if (!this.columns.has(rows[index]!)) this.#count += 1;
      this.columns.set(rows[index]!, document);
      for (const text of texts) for (const term of text.split(" ")) this.corrector.learn(term);
    }
  }

  progress(): Progress {
    const rows = this.#statements.progress.all() as { source: string; revision: number }[];
    return Object.fromEntries(rows.map(({ source, revision }) => [source, revision]));
  }

  document(row: number): IndexDocument {
    const { document } = this.#statements.document.get(row) as { document: string };
    return reviveDocument(document);
  }

  /** Rows whose normalised number is this one. */
  rowsOfNumber(pnNorm: string): number[] {
    return (this.#statements.byNumber.all(pnNorm) as { row: number }[]).map(({ row }) => row);
  }

  /** Rows whose normalised number begins like this. */
  rowsOfNumberPrefix(prefix: string): number[] {
    return (this.#statements.byNumberPrefix.all(prefix, `${prefix}\uFFFF`) as { row: number }[]).map(({ row }) => row);
  }

  /** Rows that an FTS5 expression finds, and how well: the lower the better. */
  rowsOfWords(expression: string): { row: number; rank: number }[] {
    return this.#statements.byWords.all(expression) as { row: number; rank: number }[];
  }

  /** Whether an indexed term begins like this. */
  hasTermLike(prefix: string): boolean {
    return this.#statements.termLike.get(prefix, `${prefix}\uFFFF`) !== undefined;
  }

  close(): void {
    this.#database.close();
  }

  #put(document: IndexDocument, texts: string[]): number {
    const { id, pnNorm } = document;
    const json = JSON.stringify(document);
    const known = this.#statements.rowOf.get(id) as { row: number } | undefined;
    if (known) {
      this.#statements.update.run(pnNorm, json, known.row);
      this.#statements.removeWords.run(known.row);
    }
    const row = known?.row ?? Number(this.#statements.insert.run(id, pnNorm, json).lastInsertRowid);
    this.#statements.insertWords.run(row, ...texts);
    return row;
  }

  #load(): void {
    for (const { row, document } of this.#statements.everything.iterate() as Iterable<{ row: number; document: string }>) {
      this.columns.set(row, reviveDocument(document));
      this.#count += 1;
    }
    for (const { term, doc } of this.#statements.vocabulary.iterate() as Iterable<{ term: string; doc: number }>) {
      this.corrector.learn(term, doc);
    }
  }
}

/** The columns of `words`, as terms joined by blanks: the tokenizer of FTS5 has nothing left to decide. */
function searchableText(document: IndexDocument): string[] {
  const { partNumber, pnNorm, title, manufacturer, vendorName, vendorAliases, category, kind, description } = document;
  const texts = [
    `${partNumber} ${pnNorm}`,
    title,
    [manufacturer.name, manufacturer.code, vendorName, ...vendorAliases].join(" "),
    `${category} ${kind ?? ""}`,
    description ?? "",
  ];
  return texts.map((text) => termsOf(text).join(" "));
}

function reviveDocument(text: string): IndexDocument {
  const document = JSON.parse(text) as Omit<IndexDocument, "createdAt"> & { createdAt: string };
  return { ...document, createdAt: new Date(document.createdAt) };
}

type Statements = ReturnType<typeof prepareAll>;

function prepareAll(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    insert: prepare("INSERT INTO part (id, pn_norm, document) VALUES (?, ?, ?)"),
    update: prepare("UPDATE part SET pn_norm = ?, document = ? WHERE row = ?"),
    rowOf: prepare("SELECT row FROM part WHERE id = ?"),
    document: prepare("SELECT document FROM part WHERE row = ?"),
    everything: prepare("SELECT row, document FROM part"),
    removeWords: prepare("DELETE FROM words WHERE rowid = ?"),
    insertWords: prepare("INSERT INTO words (rowid, number, title, manufacturer, category, description) VALUES (?, ?, ?, ?, ?, ?)"),
    byNumber: prepare("SELECT row FROM part WHERE pn_norm = ? ORDER BY row"),
    byNumberPrefix: prepare("SELECT row FROM part WHERE pn_norm >= ? AND pn_norm < ? ORDER BY row"),
    byWords: prepare("SELECT rowid AS row, bm25(words, 8, 10, 4, 3, 1) AS rank FROM words WHERE words MATCH ?"),
    vocabulary: prepare("SELECT term, doc FROM vocabulary"),
    termLike: prepare("SELECT 1 FROM vocabulary WHERE term >= ? AND term < ? LIMIT 1"),
    progress: prepare("SELECT source, revision FROM progress"),
    setProgress: prepare("INSERT INTO progress (source, revision) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET revision = excluded.revision"),
  };
}
