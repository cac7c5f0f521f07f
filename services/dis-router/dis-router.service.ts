import type { ServiceBroker, ServiceSchema } from "moleculer";
import { implement } from "../../broker/contract/implement.ts";
import { runtimeOf } from "../../broker/runtime.ts";
import { notFound } from "../../mixins/errors.ts";
import { isRetired } from "../../mixins/vendors.ts";
import { disRouterContract } from "./contract.ts";
import { createDisClient, toDisCode } from "./dis-client.ts";
import { createInquiries } from "./inquiries.ts";
import { routeToDis } from "./routing.ts";
import { createSupplierHealth } from "./supplier-health.ts";

export default function disRouterService(broker: ServiceBroker): ServiceSchema {
  const health = createSupplierHealth(broker.logger);
  const inquiries = createInquiries(createDisClient(runtimeOf(broker).settings.dis), health.asked);

  return implement(disRouterContract, {
    actions: {
      route({ params: { vendor, partNumber } }) {
        if (isRetired(vendor)) throw notFound("Vendor", vendor);
        const code = routeToDis(vendor, partNumber);
        return { code: code && toDisCode(code) };
      },
      async inquire({ params: { parts, ...limits } }) {
        return { parts: await inquiries.inquire(parts, limits) };
      },
      health: () => ({ dis: health.report() }),
    },
  });
}
