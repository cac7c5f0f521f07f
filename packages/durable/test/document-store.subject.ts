import type { DocumentStore, CollectionDefinition, Collection } from "../src/document-store/port.ts";

export type Doc = { _id: string } & Record<string, unknown>;

export interface StoreUnderTest {
  readonly store: DocumentStore;
  /** A collection that no other test uses. */
  collection(definition?: Omit<CollectionDefinition, "name">): Collection<Doc>;
  /** How many cases a property tries. */
  readonly runs: number;
}
