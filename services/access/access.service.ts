import type { ServiceBroker, ServiceSchema } from "moleculer";
import { callerOf, newIdIn } from "../../broker/contract/context.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { implement } from "../contracts.ts";
import { createAudit } from "./audit.ts";
import { accessContract } from "./contract.ts";
import { createKeys } from "./keys.ts";
import { exportUser } from "./personal-export.ts";

export default function accessService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings } = serviceRuntimeOf(broker);
  const keys = createKeys(documents, (error) => broker.logger.warn("A key's use could not be noted", error));
  const audit = createAudit(documents);

  return implement(accessContract, {
    channels: {
      // Of an account that is deleted, what staff did stays, by its id; where they were goes.
      "user.deleted": { group: "access", handler: (event) => audit.forgetAddresses(event.payload.userId) },
    },
    actions: {
      createKey: (ctx) => keys.create(callerOf(ctx), ctx.params, newIdIn(ctx)),
      keys: (ctx) => keys.list(ctx.params),
      key: (ctx) => keys.get(ctx.params.keyId),
      revokeKey: (ctx) => keys.revoke(ctx.params.keyId),
      audit: (ctx) => audit.list(ctx.params),
      exportUser,
      usePage: ({ params: { page } }) => ({ page }),
      findKey: (ctx) => keys.find(ctx.params.hash),
    },
    started: async () => {
      if (settings.auditKeptMs === undefined) return;
      await audit
        .endUnending(settings.auditKeptMs)
        .catch((error: unknown) => broker.logger.warn("Old audit entries get their end at the next start", error));
    },
  });
}
