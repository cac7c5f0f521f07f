/** Judges the sandbox catalog again. */
import { writeFile } from "node:fs/promises";
import { JUDGED_QUERIES, judgedQueriesText } from "./judged-queries.ts";
import { sandboxDocuments } from "../index-documents.ts";

await writeFile(JUDGED_QUERIES, judgedQueriesText(sandboxDocuments()));
