import { createDesk, lastAnswer, type DeskQuestion } from "../../services/ai/desk/desk.ts";
import type { OpenOffers } from "../../services/ai/desk/confirmation.ts";
import { manualLinks } from "../../services/ai/links.ts";
import { shopSources, type FakeShop } from "./desk.support.ts";

export function memoryOffers(): OpenOffers {
  const kept = new Map<string, Awaited<ReturnType<OpenOffers["get"]>>>();
  return { keep: async (session, { parts, models }) => void kept.set(session, { parts: [...parts], models: [...models] }), get: async (session) => kept.get(session) };
}

/** A desk over the small shop, without a chat model. */
export const deskOf = (shop?: FakeShop) => createDesk({ sources: shopSources(shop), openOffers: memoryOffers(), links: manualLinks("http://x"), storeUrl: "http://store" });
export const askDesk = (query: string, given: Partial<DeskQuestion> & { shop?: FakeShop } = {}) => lastAnswer(deskOf(given.shop).answer({ query, includeStoreLink: false, ...given }));
