const KEY = "checkout";

/**
 * The id under which a checkout is opened: the same for the same cart and delivery, so that a second click, another try
 * and the way back from the payment page open no second one.
 */
export function checkoutIdOf(what: unknown): string {
  const content = JSON.stringify(what);
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { content: string; id: string } | null;
  if (kept?.content === content) return kept.id;
  const id = `cart_${crypto.randomUUID()}`;
  sessionStorage.setItem(KEY, JSON.stringify({ content, id }));
  return id;
}
