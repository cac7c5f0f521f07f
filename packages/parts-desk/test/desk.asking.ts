import { createDesk, readAnswer, type DeskQuestion } from "../src/desk.ts";
import type { Conversations, Memory } from "../src/memory.ts";
import type { ShopContact } from "../src/texts.ts";
import { createManualLinks } from "../../../services/shared/manual-links.ts";
import { shopSources, type FakeShop } from "./desk.support.ts";

export function memory(): Conversations {
  const kept = new Map<string, Memory>();
  return {
    keep: async (session, remembered) => void kept.set(session, remembered),
    get: async (session) => kept.get(session),
  };
}

export const whenLate = (): Error => new Error("late");

/** A desk over the small shop, without a chat model. */
export const deskOf = (shop?: FakeShop, contact?: ShopContact) =>
  createDesk({
    sources: shopSources(shop),
    conversations: memory(),
    links: createManualLinks("http://x"),
    storeUrl: "http://store",
    ...(contact && { getContact: () => contact }),
    deadlineMs: 75_000,
    whenLate,
  });
export const askDesk = (query: string, given: Partial<DeskQuestion> & { shop?: FakeShop } = {}) =>
  readAnswer(deskOf(given.shop).answer({ query, includeStoreLink: false, ...given }));
