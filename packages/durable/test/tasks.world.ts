import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";
import type { TaskHandler } from "../src/tasks/port.ts";
import { type Tasks, createTasks, type TasksDeps } from "../src/tasks/tasks.ts";
import { enqueueWrite } from "../src/tasks/task.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { DocumentStore } from "../src/document-store/port.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";

/** What the tests enqueue. */
export interface Payloads {
  print: { n: number };
  bind: { n: number };
}

const enqueue = enqueueWrite<Payloads>();

export const STORES = ["embedded", ...(process.env.MONGO_URL ? ["mongodb"] : [])] as const;

export function openStore(backend: string): Promise<DocumentStore> {
  return backend === "mongodb"
    ? openDocumentStore({ mongoUrl: mongoTestUrl("tasks"), dataDir: tmpdir() })
    : openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-tasks-")) });
}

/** A store for each test, and processes over it, which are stopped after the test. */
export function useTasks(backend: string) {
  let documents: DocumentStore;
  let members: Tasks[];
  beforeEach(async () => {
    members = [];
    documents = await openStore(backend);
  });
  afterEach(async () => {
    await Promise.all(members.map((member) => member.stop()));
    await documents.close();
  });
  const ended: unknown[] = [];
  const report: TasksDeps["report"] = {
    stuck: () => undefined,
    ended: ({ key, attempts }, outcome) => void ended.push([key, attempts, outcome]),
  };
  return {
    documents: () => documents,
    /** What a process's report heard. */
    ended,
    /** A process; `handlers` by kind. */
    member: (handlers: Record<string, TaskHandler>, leaseMs?: number): Tasks => {
      const member = createTasks({ documents, report, ...(leaseMs === undefined ? {} : { leaseMs }) });
      for (const [kind, handler] of Object.entries(handlers)) member.handle(kind, handler);
      members.push(member);
      return member;
    },
    put: async (
      kind: keyof Payloads,
      key: string,
      n: number,
      options: Parameters<typeof enqueue>[3] = {},
    ): Promise<void> => {
      await documents.atomically([enqueue(kind, key, { n }, options)]);
      for (const member of members) member.wake();
    },
  };
}
