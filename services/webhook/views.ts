import type { AttemptDocument, DeliveryDocument, EndpointDocument } from "./collections.ts";
import { validSecrets } from "./secrets.ts";

export function endpointView(endpoint: EndpointDocument) {
  const { _id: endpointId, url, eventTypes, description, ordered, disabled, secrets } = endpoint;
  const { disabledReason, failingSince, createdAt, updatedAt } = endpoint;
  const secretExpiresAt = validSecrets(secrets, new Date())[1]?.expiresAt;
  return {
    endpointId,
    url,
    eventTypes,
    description,
    ordered,
    disabled,
    disabledReason,
    failingSince,
    secretExpiresAt: secretExpiresAt === undefined ? undefined : new Date(secretExpiresAt),
    createdAt,
    updatedAt,
  };
}

export function endpointWithSecretView(endpoint: EndpointDocument) {
  return { ...endpointView(endpoint), secret: endpoint.secrets[0]!.value };
}

export function deliveryView(delivery: DeliveryDocument) {
  const { messageId, type, occurredAt, state, attempts, nextAttemptAt, deliveredAt } = delivery;
  return { messageId, type, occurredAt, state, attempts, nextAttemptAt, deliveredAt };
}

export function attemptView({ attemptedAt, outcome, status, reason, durationMs, answer }: AttemptDocument) {
  return { attemptedAt, outcome, status, reason, durationMs, answer: answer || undefined };
}
