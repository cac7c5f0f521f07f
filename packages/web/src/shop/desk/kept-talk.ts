import type { QueryResponse } from "@partline/client";
import { inTabStorage } from "../tab-storage.ts";

/** A question with what the desk has said to it so far. */
export interface Exchange {
  question: string;
  text: string;
  answer?: QueryResponse | undefined;
  /** Why there is no answer. */
  problem?: string | undefined;
}

const PREFIX = "desk ";
const MOST_KEPT = 20;

/** Names the entry in which the tab keeps what its user has asked. */
export const talkKey = (userId: string | undefined): string => `${PREFIX}${userId ?? ""}`;

/** Nothing if the browser blocks its storage. */
export const keptTalk = (key: string): Exchange[] =>
  inTabStorage((storage) => JSON.parse(storage.getItem(key) ?? "[]") as Exchange[]) ?? [];

export function keepTalk(key: string, exchanges: readonly Exchange[]): void {
  inTabStorage((storage) => storage.setItem(key, JSON.stringify(exchanges.slice(-MOST_KEPT))));
}

/** The next person at this tab may be another one, a guest too. */
export function forgetTalks(): void {
  inTabStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
  });
}
