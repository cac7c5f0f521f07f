import { expect, test } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { createImports } from "../../services/catalog/imports.ts";
import { testSettings } from "../support/test-settings.ts";

test("an import that fails reports why, also if its failure cannot be noted", async () => {
  const documents = await openDocumentStore({ dataDir: testSettings().dataDir });
  const importing = createImports(documents).trackImport({ vendor: "BNS", dryRun: false }, async () => {
    await documents.close();
    throw new Error("The file ends within a quotation");
  });
  await expect(importing).rejects.toThrow("The file ends within a quotation");
});
