import type { ServiceBroker } from "moleculer";
import type { Input } from "@partline/api-contracts";
import { type Actions, call } from "../../contracts.ts";

type Question = "search.machineMakes" | "search.machineModels" | "search.catalogFitment";

/** Milliseconds; later, what manuals say is answered alone. */
const DEADLINE = 2_000;

/** Asks what the catalog says of machines; undefined if it cannot be asked. */
export type AskShop = ReturnType<typeof createAskShop>;

export function createAskShop(broker: ServiceBroker) {
  const logger = broker.getLogger("ai");
  return async <Name extends Question>(action: Name, params: Input<Actions[Name]>) => {
    try {
      return await call(broker, action, params, { timeout: DEADLINE });
    } catch (error) {
      logger.debug("The catalog could not be asked for machines and what fits them", error);
      return undefined;
    }
  };
}

/** What an answer says that the catalog is missing from. */
export const tellMissing = (answer: unknown): { missing?: "catalog"[] } =>
  answer === undefined ? { missing: ["catalog"] } : {};
