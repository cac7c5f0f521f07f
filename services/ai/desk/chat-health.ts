import type { Dialect, ModelTrouble } from "@partline/parts-desk";
import type { ServiceBroker } from "moleculer";
import type { Result } from "@partline/api-contracts";
import type { aiContract } from "../contract.ts";

type ChatHealth = NonNullable<Result<(typeof aiContract)["actions"]["health"]>["chat"]>;

/** Keeps how the chat model answered last, and logs each change of it. */
export function createChatHealth(logger: Pick<ServiceBroker["logger"], "info" | "warn">, model: string) {
  let last: ChatHealth = { status: "unknown", model, reason: null, httpStatus: null, format: null, askedAt: null };
  return {
    onOutcome(outcome: ModelTrouble | "answered"): void {
      const hadFailed = last.status === "error";
      if (outcome === "answered") {
        if (hadFailed) logger.info(`The chat model ${model} answers again`);
        last = { ...last, status: "ok", reason: null, httpStatus: null, askedAt: new Date() };
        return;
      }
      const { trouble: reason, status, detail } = outcome;
      // A shopper who left says nothing of the model, and an open circuit repeats what was seen before.
      if (reason === "abandoned" || reason === "circuit_open") return;
      const httpStatus = status ?? null;
      if (!hadFailed || last.reason !== reason || last.httpStatus !== httpStatus)
        logger.warn(`The chat model ${model} does not answer: answers are composed without it`, {
          reason,
          ...(status !== undefined && { status }),
          ...(detail !== undefined && { detail }),
        });
      last = { ...last, status: "error", reason, httpStatus, askedAt: new Date() };
    },
    onDialect(dialect: Dialect): void {
      logger.info(`The server of the chat model ${model} does not take all of a request: it is asked in its own way`, {
        ...dialect,
      });
      last = { ...last, format: dialect.format };
    },
    report: (): ChatHealth => last,
  };
}
