import { useSyncExternalStore } from "react";
import { inTabStorage } from "../tab-storage.ts";

/** A part that is set beside others. */
export interface ComparedPart {
  slug: string;
  title: string;
}

/** More are not read beside each other. */
export const MOST_COMPARED = 4;
const KEY = "compared";
const NONE: readonly ComparedPart[] = [];
const listeners = new Set<() => void>();
let parts: readonly ComparedPart[] | undefined;

/** Adds a part to those of this tab that are compared, or takes it away. */
export function toggleCompared({ slug, title }: ComparedPart): void {
  const rest = read().filter((part) => part.slug !== slug);
  const isNew = rest.length === read().length;
  keep(isNew ? [...rest, { slug, title }].slice(-MOST_COMPARED) : rest);
}

export function clearCompared(): void {
  keep(NONE);
}

/** Returns the parts of this tab that are compared; none on the server. */
export function useCompared(): readonly ComparedPart[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    () => NONE,
  );
}

/** The page that has parts beside each other. */
export function toCompareAddress(slugs: readonly string[]): string {
  return `/compare?${new URLSearchParams(slugs.map((slug) => ["part", slug])).toString()}`;
}

function read(): readonly ComparedPart[] {
  return (parts ??= parse(inTabStorage((storage) => storage.getItem(KEY)) ?? null));
}

function parse(text: string | null): readonly ComparedPart[] {
  if (text === null) return NONE;
  try {
    return JSON.parse(text) as ComparedPart[];
  } catch {
    return NONE;
  }
}

function keep(next: readonly ComparedPart[]): void {
  parts = next;
  inTabStorage((storage) => storage.setItem(KEY, JSON.stringify(next)));
  for (const listener of listeners) listener();
}
