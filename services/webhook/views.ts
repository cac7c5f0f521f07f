import { shown } from "../../broker/contract/answers.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import type { AttemptDocument, DeliveryDocument, EndpointDocument } from "./collections.ts";
import { attemptRule, deliveryRule, endpointRule } from "./resources.ts";
import { validSecrets } from "./secrets.ts";

export function endpointView(endpoint: EndpointDocument): Infer<typeof endpointRule> {
  const secretExpiresAt = validSecrets(endpoint.secrets, new Date())[1]?.expiresAt;
  return shown(endpointRule.props, {
    ...endpoint,
    endpointId: endpoint._id,
    secretExpiresAt: secretExpiresAt === undefined ? undefined : new Date(secretExpiresAt),
  });
}

export function endpointWithSecretView(endpoint: EndpointDocument) {
  return { ...endpointView(endpoint), secret: endpoint.secrets[0]!.value };
}

export const deliveryView = (delivery: DeliveryDocument): Infer<typeof deliveryRule> =>
  shown(deliveryRule.props, delivery);

export const attemptView = (attempt: AttemptDocument): Infer<typeof attemptRule> =>
  shown(attemptRule.props, { ...attempt, answer: attempt.answer || undefined });
