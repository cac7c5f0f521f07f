import { describe, test } from "@jest/globals";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { dropMongoDatabase, mongoTestUrl } from "../support/mongo.ts";
import { documentStoreContract } from "./document-store.contract.ts";

if (process.env.MONGO_URL) {
  const url = mongoTestUrl("documents");
  documentStoreContract("MongoDB", () => openDocumentStore({ mongoUrl: url, dataDir: "" }), { runs: 15, close: () => dropMongoDatabase(url) });
} else {
  describe.skip("document store: MongoDB", () => {
    test("needs MONGO_URL", () => undefined);
  });
}
