import { describe } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StoredChannels } from "../../broker/channels/stored/stored-channels.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { channelsContract } from "./channels.contract.ts";
import { mongoTestUrl, dropMongoDatabase } from "../support/mongo.ts";

const quiet = { failed: () => undefined, stuck: () => undefined };

channelsContract("over the embedded store", async () => {
  const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-channels-")) });
  return { documents, open: () => new StoredChannels({ documents, report: quiet }), close: () => documents.close() };
});

(process.env.MONGO_URL ? describe : describe.skip)("with MongoDB", () => {
  channelsContract("over MongoDB", async () => {
    const mongoUrl = mongoTestUrl("channels");
    const documents = await openDocumentStore({ mongoUrl, dataDir: tmpdir() });
    return {
      documents,
      open: () => new StoredChannels({ documents, report: quiet }),
      close: async () => {
        await documents.close();
        await dropMongoDatabase(mongoUrl);
      },
    };
  });
});
