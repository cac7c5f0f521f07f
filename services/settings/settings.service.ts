import { isDeepStrictEqual } from "node:util";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { compareAndSet, createReplacement } from "@partline/durable";
import type { CollectionDefinition, Document } from "@partline/durable";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { findTimeZone } from "../../mixins/shop/shop-days.ts";
import { mergePatch, resolveShopFacts } from "../../mixins/shop/shop-facts.ts";
import { implement } from "../contracts.ts";
import { checkChange } from "./change-rules.ts";
import { settingsContract } from "./contract.ts";

/** The one document of the collection. */
interface StoredSettings extends Document {
  version: number;
  /** Only what people have set. */
  values: object;
}

const SHOP_SETTINGS: CollectionDefinition = { name: "shop_settings", fields: { version: "number" } };
const ID = "shop";

export default function createSettingsService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings } = getServiceRuntime(broker);
  const stored = documents.collection<StoredSettings>(SHOP_SETTINGS);
  const readStored = async (): Promise<StoredSettings> =>
    (await stored.findOne({ _id: ID })) ?? { _id: ID, version: 0, values: {} };
  const present = ({ version, values }: StoredSettings) => ({
    version,
    pinned: Object.keys(settings.pins),
    ...resolveShopFacts(values, settings.pins),
  });

  return implement(settingsContract, {
    actions: {
      get: async () => present(await readStored()),
      async change({ params: { version, ...change } }) {
        const next = await compareAndSet(documents, "The settings", async () => {
          const current = await readStored();
          if (version !== undefined && version !== current.version)
            throw new PartlineError("VERSION_CONFLICT", "The settings changed since you read them: read them again", {
              version: current.version,
            });
          const facts = resolveShopFacts(current.values, settings.pins);
          checkChange(change, facts, settings.pins);
          const timeZone = change.timeZone && findTimeZone(change.timeZone);
          const values = mergePatch(current.values, { ...change, timeZone });
          if (isDeepStrictEqual(resolveShopFacts(values, settings.pins), facts))
            return { conditions: [], result: current };
          const result: StoredSettings = { _id: ID, version: current.version + 1, values };
          const previous = current.version === 0 ? null : current;
          return { conditions: [createReplacement(SHOP_SETTINGS, previous, "version", result)], result };
        });
        void broker.broadcast("settings.changed", { version: next.version });
        return present(next);
      },
      shop: async () => resolveShopFacts((await readStored()).values, settings.pins),
      async stored({ params }) {
        const { version, values } = await readStored();
        return { version, values: version === params.version ? null : values };
      },
    },
  });
}
