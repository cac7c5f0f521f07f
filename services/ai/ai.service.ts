import type { ServiceBroker, ServiceSchema } from "moleculer";
import { implement } from "../../broker/contract/implement.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { linkBase } from "../../broker/settings.ts";
import { call } from "../contracts.ts";
import { aiContract } from "./contract.ts";
import { fitmentAnswers } from "./fitment/answers.ts";
import { FitmentReader } from "./fitment/reader.ts";
import { manualLinks } from "./links.ts";

/** Parts are told without their ids in the catalog where that takes longer; milliseconds. */
const CATALOG_DEADLINE = 2_000;

export default function aiService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("ai");
  const reader = new FitmentReader(documents);
  const links = manualLinks(linkBase(settings, "gateway"));
  const fitment = fitmentAnswers({
    reader,
    links,
    productIds: async (parts) => {
      if (parts.length === 0) return [];
      try {
        const items = parts.map(({ partNumber, vendor }) => ({ productId: "", partNumber, ...(vendor === undefined ? {} : { manufacturer: vendor }) }));
        return (await call(broker, "catalog.price", { items }, { timeout: CATALOG_DEADLINE, retries: 0 })).items.map(({ productId }) => productId);
      } catch (error) {
        logger.debug("The catalog could not be asked which of its parts a manual names", error);
        return parts.map(() => undefined);
      }
    },
  });

  return implement(aiContract, {
    actions: {
      equipment: (ctx) => fitment.equipment(ctx.params),
      diagrams: (ctx) => fitment.diagrams(ctx.params),
      partsOf: (ctx) => fitment.partsOf(ctx.params),
      fitmentOf: (ctx) => fitment.fitmentOf(ctx.params),
    },
  });
}
