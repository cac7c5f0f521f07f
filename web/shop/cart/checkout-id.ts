const KEY = "checkout";

/**
 * The id under which a checkout is opened: the same for the same cart and delivery, so that a second click, another try
 * and the way back from the payment page open no second one.
 */
export function checkoutIdOf(what: unknown): string {
  const content = JSON.stringify(what);
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { content: string; id: string } | null;
  if (kept?.content === content) return kept.id;
  // On http from another machine there is no crypto.randomUUID.
  const random = crypto.getRandomValues(new Uint8Array(16));
  const id = `cart_${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  sessionStorage.setItem(KEY, JSON.stringify({ content, id }));
  return id;
}

/** Called once its order is there: the same parts bought again are another checkout. */
export function forgetCheckout(): void {
  sessionStorage.removeItem(KEY);
}
