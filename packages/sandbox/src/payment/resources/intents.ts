import { type Scope, emit } from "../account.ts";
import { type Parameters, boolean, object, oneOf, required, text } from "../protocol/parameters.ts";
import { type ResourceByObject, createId, createRandomText } from "../store.ts";

/** Parameters of every new intent. */
export const intentShape = {
  automatic_payment_methods: object({ allow_redirects: oneOf("always", "never"), enabled: required(boolean) }),
  customer: text(),
};

/** Creates an intent in `requires_payment_method`, with `payment_intent.created` or `setup_intent.created`. */
export function openIntent<K extends "payment_intent" | "setup_intent">(
  scope: Scope,
  kind: K,
  params: Omit<Partial<ResourceByObject[K]>, keyof typeof intentShape> & Partial<Parameters<typeof intentShape>>,
): ResourceByObject[K] {
  const id = createId(kind);
  const intent = scope.store.insert<K>(kind, {
    ...params,
    id,
    automatic_payment_methods: { allow_redirects: "always", enabled: true, ...params.automatic_payment_methods },
    client_secret: `${id}_secret_${createRandomText(25)}`,
    status: "requires_payment_method",
  } as Partial<ResourceByObject[K]>);
  emit(scope, `${kind}.created`, intent);
  return intent;
}
