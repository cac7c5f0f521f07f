import type { WebhookCreateEndpointParams, WebhookEndpoint, WebhookUpdateEndpointParams } from "@partline/client";
import type { GetListParams, GetManyReferenceParams, RaRecord } from "react-admin";
import { fetchPages } from "../shared/fetch-pages.ts";
import { partline } from "../partline.ts";

const withId = <T extends Pick<WebhookEndpoint, "endpointId">>(endpoint: T) => ({
  ...endpoint,
  id: endpoint.endpointId,
});

export const listEndpoints = (params: GetListParams) =>
  fetchPages(
    params,
    (pages) => partline.webhook.listEndpoints(pages),
    ({ endpoints: items }) => items,
    ({ endpointId }) => endpointId,
  );

export const listDeliveries = (params: GetManyReferenceParams) => {
  const query = { endpointId: String(params.id), ...(params.filter as { state?: "failed" }) };
  return fetchPages(
    params,
    (pages) => partline.webhook.listDeliveries({ ...query, ...pages }),
    ({ deliveries }) => deliveries,
    ({ messageId }) => messageId,
  );
};

export const endpoints = {
  read: async (endpointId: string): Promise<RaRecord> => withId(await partline.webhook.getEndpoint({ endpointId })),
  create: async (data: Partial<RaRecord>): Promise<RaRecord> =>
    withId(await partline.webhook.createEndpoint(filled(data) as unknown as WebhookCreateEndpointParams)),
  update: async (endpointId: string, data: Partial<RaRecord>): Promise<RaRecord> => {
    const { url, eventTypes, description, ordered, disabled } = data as Partial<WebhookUpdateEndpointParams>;
    const settings = { endpointId, url, eventTypes, description: description ?? "", ordered, disabled };
    return withId(await partline.webhook.updateEndpoint(settings));
  },
  delete: (endpointId: string) => partline.webhook.deleteEndpoint({ endpointId }),
};

/** Without what nobody wrote into the form. */
function filled(data: Partial<RaRecord>): Partial<RaRecord> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== ""));
}

/** The events that an endpoint may get, as the system describes them to every program. */
export async function readEventTypes(signal: AbortSignal): Promise<string[]> {
  const answer = await fetch("/asyncapi.json", { signal });
  if (!answer.ok) throw new Error(`/asyncapi.json: ${answer.status} ${answer.statusText}`);
  const { channels } = (await answer.json()) as { channels: { webhooks: { messages: Record<string, unknown> } } };
  return Object.keys(channels.webhooks.messages);
}

const STATES = ["waiting", "delivered", "failed"] as const;

/** How many deliveries there are in each state. */
export async function readCounts(endpointId: string, signal: AbortSignal) {
  const totals = await Promise.all(
    STATES.map(async (state) => {
      const { pagination } = await partline.webhook.listDeliveries({ endpointId, state, pageSize: 1 }, { signal });
      return [state, pagination.total] as const;
    }),
  );
  return Object.fromEntries(totals) as Record<(typeof STATES)[number], number>;
}
