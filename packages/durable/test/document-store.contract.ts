import { afterAll, beforeAll, describe } from "@jest/globals";
import type { DocumentStore } from "../src/document-store/port.ts";
import { atomicSuite } from "./document-store.atomic.ts";
import { propertySuite } from "./document-store.properties.ts";
import { querySuite } from "./document-store.queries.ts";
import { refusalSuite } from "./document-store.refusals.ts";
import { uniquenessSuite } from "./document-store.uniqueness.ts";
import { updateSuite } from "./document-store.updates.ts";
import type { Doc, StoreUnderTest } from "./document-store.subject.ts";

/** The promises of packages/durable/src/document-store/port.ts, which every adapter keeps. */
export function documentStoreContract(
  name: string,
  open: () => Promise<DocumentStore>,
  options: { runs: number; close?: () => Promise<void> },
): void {
  describe(`document store: ${name}`, () => {
    let store: DocumentStore | undefined;
    let collections = 0;

    beforeAll(async () => {
      store = await open();
    });
    afterAll(async () => {
      await store?.close();
      await options.close?.();
    });

    const underTest: StoreUnderTest = {
      get store() {
        return store!;
      },
      collection: (definition) => store!.collection<Doc>({ ...definition, name: `things_${++collections}` }),
      runs: options.runs,
    };
    querySuite(underTest);
    updateSuite(underTest);
    uniquenessSuite(underTest);
    atomicSuite(underTest);
    refusalSuite(underTest);
    propertySuite(underTest);
  });
}
