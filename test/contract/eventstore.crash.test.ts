import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { call, enqueue } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import type { TestBroker } from "../support/test-broker.ts";
import { quotedIn, startEventstore } from "./eventstore.quoted.ts";

let directory: string;
let test: TestBroker | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "partline-quoted-"));
});
afterEach(async () => {
  await test?.stop();
  test = undefined;
  rmSync(directory, { recursive: true, force: true });
});

type Stored = { content: string; metadata: { id: string; public?: boolean } };

/** In a process that is killed between the event and the desk's change. */
async function storeAndDie(document: Stored): Promise<void> {
  const script = fileURLToPath(new URL("./eventstore.dying-writer.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, directory, JSON.stringify(document)],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
}

async function settled(): Promise<TestBroker> {
  test = await startEventstore(directory);
  await eventually(async () => !(await test!.tasks.depths()).has("eventstore.document"));
  return test;
}

const stored = (broker: TestBroker, id: string) => call(broker.broker, "eventstore.readStream", { aggregate_id: id });
const id = "note-1";

const first = { content: "The bolt takes 30 Nm", metadata: { id, public: true } };

it("a document that was recorded and not learnt when its process was killed is quoted after the next start", async () => {
  await storeAndDie(first);
  expect(quotedIn(directory)).toEqual({});
  const { events } = await stored(await settled(), id);
  expect(events).toHaveLength(1);
  expect(quotedIn(directory)).toEqual({ [id]: first.content });
});

it.each([
  ["a change", { content: "The bolt takes 40 Nm", metadata: { id, public: true } }, "The bolt takes 40 Nm"],
  ["the end of its being public", { content: "The bolt takes 30 Nm", metadata: { id } }, undefined],
])("%s that was recorded when its process was killed: what is recorded is quoted", async (_, change, quoted) => {
  test = await startEventstore(directory);
  await call(test.broker, "eventstore.store", { documents: [first] });
  await eventually(() => quotedIn(directory)[id] === first.content);
  await test.stop();
  await storeAndDie(change);
  expect(quotedIn(directory)).toEqual({ [id]: first.content });
  const { events } = await stored(await settled(), id);
  expect(events).toHaveLength(2);
  expect(quotedIn(directory)[id]).toBe(quoted);
});

it("a task of an earlier release, whose process died when the desk had learnt, has the desk quote what is recorded", async () => {
  test = await startEventstore(directory);
  await call(test.broker, "eventstore.store", { documents: [first] });
  await eventually(() => quotedIn(directory)[id] === first.content);
  await call(test.broker, "ai.learnDocument", { id, content: "The bolt takes 50 Nm" });
  await test.documents.atomically([enqueue("eventstore.document", ulid(), { id })]);
  test.tasks.wake();
  await eventually(() => quotedIn(directory)[id] === first.content);
});
