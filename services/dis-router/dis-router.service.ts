import type { ServiceBroker, ServiceSchema } from "moleculer";
import { implement } from "../../broker/contract/implement.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { runtimeOf } from "../../broker/runtime.ts";
import { disRouterContract } from "./contract.ts";
import { createDisClient } from "./dis-client.ts";
import { createInquiries } from "./inquiries.ts";
import { createSupplierHealth } from "./supplier-health.ts";

export default function disRouterService(broker: ServiceBroker): ServiceSchema {
  const health = createSupplierHealth(broker.logger);
  const client = createDisClient(runtimeOf(broker).settings.dis, watchProvider(broker, "dis"));
  const inquiries = createInquiries(client, health.asked);

  return implement(disRouterContract, {
    actions: {
      async inquire({ params: { parts, ...limits } }) {
        return { parts: await inquiries.inquire(parts, limits) };
      },
      health: () => ({ dis: health.report() }),
    },
  });
}
