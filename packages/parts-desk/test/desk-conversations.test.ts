import { expect, test } from "@jest/globals";
import { type DocumentStore, DocumentStoreError } from "../../durable/src/document-store/port.ts";
import { createConversations } from "../src/memory.ts";

const remembered = { models: [], parts: [], terms: [], isOpen: false };

const conversationsOver = (error: Error, onUnkept: (error: unknown) => void) =>
  createConversations(
    { collection: () => ({ replaceOne: () => Promise.reject(error) }) } as unknown as DocumentStore,
    onUnkept,
  );

test("a conversation that the store cannot keep, as the disk is full, is no failure of the answer", async () => {
  const full = new DocumentStoreError("UNAVAILABLE", "database or disk is full");
  const unkept: unknown[] = [];
  await conversationsOver(full, (error) => unkept.push(error)).keep("session", remembered);
  expect(unkept).toEqual([full]);
  const wrong = new DocumentStoreError("BAD_DOCUMENT", "of another shape");
  await expect(conversationsOver(wrong, () => undefined).keep("session", remembered)).rejects.toBe(wrong);
});
