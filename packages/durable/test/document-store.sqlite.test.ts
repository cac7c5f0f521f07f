import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../src/document-store/open.ts";
import { documentStoreContract } from "./document-store.contract.ts";

let directory: string;

documentStoreContract(
  "SQLite",
  async () => {
    directory = await mkdtemp(join(tmpdir(), "document-store-"));
    return openDocumentStore({ dataDir: directory });
  },
  { runs: 150, close: () => rm(directory, { recursive: true }) },
);
