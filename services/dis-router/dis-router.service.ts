import type { ServiceBroker, ServiceSchema } from "moleculer";
import { watchProvider } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { implement } from "../contracts.ts";
import { createAnnouncer } from "./announcer.ts";
import { disRouterContract } from "./contract.ts";
import { createDisClient } from "./dis-client.ts";
import { createInquiries, createSupplierHealth } from "./inquiries.ts";

export default function disRouterService(broker: ServiceBroker): ServiceSchema {
  const { logger } = broker;
  const { settings, documents, channels } = getServiceRuntime(broker);
  const health = createSupplierHealth(logger);
  const client = settings.dis && createDisClient(settings.dis, watchProvider(broker, "dis"));
  const inquiries = createInquiries(client, health.onOutcome);
  const announcer = createAnnouncer({ documents, channels, logger });

  return implement(disRouterContract, {
    actions: {
      async inquire({ params: { parts, announce, ...limits } }) {
        const answers = await inquiries.inquire(parts, limits);
        if (announce) announcer.note(answers);
        return { parts: answers };
      },
      health: () => ({ dis: client ? health.report() : null }),
    },
    stopped: () => announcer.stop(),
  });
}
