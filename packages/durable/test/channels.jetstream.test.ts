import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { createJetStreamChannels } from "../src/channels/jetstream/jetstream-channels.ts";
import { createClusterSecret } from "../src/cluster-secret.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import { keptReport, removeStreams, testNamespace } from "../../../test/support/jetstream.ts";
import { channelsContract } from "./channels.contract.ts";

const servers = { "one server": process.env.NATS_URL, "a cluster of three": process.env.NATS_CLUSTER_URL };

for (const [what, url] of Object.entries(servers)) {
  (url === undefined ? describe.skip : describe)(`on ${what}`, () => {
    channelsContract(`over JetStream on ${what}`, async () => {
      const namespace = testNamespace();
      const report = keptReport();
      const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-channels-")) });
      return {
        documents,
        report,
        open: (options) =>
          createJetStreamChannels({
            documents,
            servers: url!,
            namespace,
            secret: createClusterSecret(["secret-of-a-test"], namespace, "events"),
            clientName: "test",
            report,
            ...options,
          }),
        close: async () => {
          await documents.close();
          await removeStreams(url!, namespace);
        },
      };
    });
  });
}
