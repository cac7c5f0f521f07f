import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { call } from "../../services/contracts.ts";
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

/** In a process that is killed between the desk's change and the event. */
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

/** After the next start, without waiting until the change is surely over. */
async function settled(): Promise<TestBroker> {
  test = await startEventstore(directory);
  const waiting = await test.tasks.list({ kind: "eventstore.document", limit: 10 });
  expect(waiting).toHaveLength(1);
  await test.tasks.retry(waiting[0]!.id);
  await eventually(async () => !(await test!.tasks.depths()).has("eventstore.document"));
  return test;
}

const stored = (broker: TestBroker, id: string) => call(broker.broker, "eventstore.readStream", { aggregate_id: id });
const id = "note-1";

it("a document that was learnt and not recorded when its process was killed is quoted no more", async () => {
  await storeAndDie({ content: "The bolt takes 30 Nm", metadata: { id, public: true } });
  expect(quotedIn(directory)).toEqual({ [id]: "The bolt takes 30 Nm" });
  const { events } = await stored(await settled(), id);
  expect(events).toEqual([]);
  expect(quotedIn(directory)).toEqual({});
});

it.each([
  ["a change", { content: "The bolt takes 40 Nm", metadata: { id, public: true } }],
  ["the end of its being public", { content: "The bolt takes 30 Nm", metadata: { id } }],
])("%s that was not recorded when its process was killed: what is recorded is quoted", async (_, change) => {
  const recorded = { content: "The bolt takes 30 Nm", metadata: { id, public: true } };
  test = await startEventstore(directory);
  await call(test.broker, "eventstore.store", { documents: [recorded] });
  expect(await test.tasks.list({ kind: "eventstore.document", limit: 10 })).toEqual([]);
  await test.stop();
  await storeAndDie(change);
  expect(quotedIn(directory)).not.toEqual({ [id]: recorded.content });
  const { events } = await stored(await settled(), id);
  expect(events).toHaveLength(1);
  expect(quotedIn(directory)).toEqual({ [id]: recorded.content });
});
