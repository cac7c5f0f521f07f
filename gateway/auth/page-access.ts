import type { ServiceBroker } from "moleculer";
import type { CallMeta } from "../../broker/contract/context.ts";
import type { EntryPoint } from "../../broker/contract/define.ts";
import { createThrottledWarning } from "@partline/moleculer-kit";
import { call } from "../../services/contracts.ts";
import { type ClientAddress, getExchange, type EdgeRequest } from "@partline/http-edge";
import type { Page } from "../http/pages.ts";
import type { Authenticator } from "./authenticator.ts";

interface PageAccessDeps {
  broker: ServiceBroker;
  authenticator: Pick<Authenticator, "authenticate">;
  clientOf: ClientAddress;
  entry: EntryPoint | "node";
}

/**
 * Returns what lets in who may see a page. A use of the admin token goes into the audit stream beside the answer: metrics
 * are there although the stream is away.
 */
export function createPageAccess({ broker, authenticator, clientOf, entry }: PageAccessDeps) {
  const warn = createThrottledWarning(broker.logger, "A page's use by the admin token could not be recorded");
  return async (req: EdgeRequest, { access = "none", scope }: Page): Promise<void> => {
    const caller = await authenticator.authenticate({ headers: req.headers, access, scope, entry });
    if (!caller.adminToken) return;
    const { requestId, path: page } = getExchange(req);
    const meta: CallMeta = { caller, client: clientOf(req), audit: true };
    call(broker, "access.usePage", { page }, { meta, requestID: requestId }).catch(warn);
  };
}
