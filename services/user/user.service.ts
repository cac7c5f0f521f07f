import type { ServiceBroker, ServiceSchema } from "moleculer";
import { auditWrites } from "../../broker/audit/audited.ts";
import { callerOf, userOf } from "../../broker/contract/context.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { implement } from "../contracts.ts";
import { userContract } from "./contract.ts";
import { createIdentityWebhook } from "./identity-webhook.ts";
import { createUsers } from "./users.ts";

export default function userService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = serviceRuntimeOf(broker);
  const users = createUsers(documents);
  const receive = createIdentityWebhook({
    documents,
    users,
    secret: settings.identity.webhookSecret,
    wake: () => channels.wake(),
  });

  return implement(userContract, {
    actions: {
      me: (ctx) => users.me(userOf(callerOf(ctx))),
      updateMe: (ctx) => users.updateMe(userOf(callerOf(ctx)), ctx.params),
      list: (ctx) => users.list(ctx.params),
      search: (ctx) => users.list(ctx.params),
      get: (ctx) => users.get(ctx.params.id),
      update: ({ params: { id, ...changes } }) => users.update(id, changes),
      receiveIdentityEvent: (ctx) => receive(ctx.params, (change) => auditWrites(ctx, change)),
    },
  });
}
