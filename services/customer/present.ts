import type { CustomerRecord } from "./customers.ts";
import type { SavedCard } from "./payment-methods.ts";

export function presentCustomer({
  _id,
  userId,
  email,
  name,
  phone,
  defaultPaymentMethodId,
  createdAt,
}: CustomerRecord) {
  return { customerId: _id, userId, email, name, phone, defaultPaymentMethodId, createdAt };
}

export function presentCards(cards: readonly SavedCard[], { defaultPaymentMethodId }: CustomerRecord) {
  return cards.map((card) => ({ ...card, isDefault: card.id === defaultPaymentMethodId }));
}
