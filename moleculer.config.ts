/**
 * For those who use Moleculer's own runner; `npm start` does not read it. The runner lets any upper-case environment
 * variable that is named like a broker option (NAMESPACE, LOGLEVEL, …) override what stands here. What bin/node.ts does beside it does not hold of such a
 * process: it is not held against the others of its system, exports no traces, and stops by Moleculer's own rules.
 *
 *   moleculer-runner-esm --config moleculer.config.ts --mask "*.service.ts" services
 */
import type { ServiceBroker } from "moleculer";
import { openChannels } from "./broker/channels/open.ts";
import { brokerOptions } from "./broker/options.ts";
import { attachRuntime, serviceRuntimeOf } from "./broker/runtime.ts";
import { loadSettings } from "./broker/settings.ts";
import { openDocumentStore } from "./mixins/document-store/open.ts";
import { packageVersion } from "./bin/version.ts";

const settings = loadSettings(process.env, packageVersion());
const documents = await openDocumentStore({ mongoUrl: settings.mongoUrl, dataDir: settings.dataDir });

export default {
  ...brokerOptions(settings),
  created(broker: ServiceBroker) {
    attachRuntime(broker, { settings, stores: { documents, channels: openChannels(broker, documents, settings) } });
  },
  async started(broker: ServiceBroker) {
    await serviceRuntimeOf(broker).channels.start();
  },
  async stopped(broker: ServiceBroker) {
    await serviceRuntimeOf(broker).channels.stop();
    await documents.close();
  },
};
