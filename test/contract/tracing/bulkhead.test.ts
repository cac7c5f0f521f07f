import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { createTypedCall, startTracing } from "@partline/moleculer-kit";
import { type ActionsOf } from "@partline/api-contracts";
import { defineService } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { createBrokerOptions } from "../../../broker/options.ts";
import { attachRuntime } from "../../../broker/runtime.ts";
import { getCurrentScope } from "../../../packages/toolkit/src/tracing.ts";
import { eventually } from "../../support/eventually.ts";
import { testSettings } from "../../support/test-settings.ts";
import { startOtlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";

const nothing = { type: "any", nullable: true } as const;
const hall = defineService({
  name: "hall",
  summary: "Lets in one at a time",
  actions: {
    enter: {
      summary: "Enter",
      params: {},
      result: nothing,
      errors: [],
      bulkhead: { concurrency: 1, maxQueueSize: 10 },
    },
    note: { summary: "Note", params: {}, result: nothing, errors: [] },
  },
});
const call = createTypedCall<ActionsOf<typeof hall>>();

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A secret's file, as a container has it mounted. */
function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "partline-endpoint-")), "endpoint");
  writeFileSync(path, `${text}\n`);
  return path;
}

test("what waited in a bulkhead runs in the scope and the trace of its own request, not of the one that ended before", async () => {
  const receiver = await startOtlpReceiver();
  ends.push(() => receiver.stop());
  const settings = testSettings({ OTEL_EXPORTER_OTLP_ENDPOINT_FILE: fileWith(receiver.url) });
  const broker = new ServiceBroker({ ...createBrokerOptions(settings), logger: false });
  attachRuntime(broker, { settings });
  const { promise: held, resolve: letIn } = Promise.withResolvers<void>();
  const entered: unknown[] = [];
  broker.createService(
    implement(hall, {
      actions: {
        enter: async (ctx) => {
          entered.push([ctx.requestID, getCurrentScope()?.requestId]);
          await held;
          await call(ctx, "hall.note", {});
          // The second to come in fails, so that the third is begun by a failure.
          if (entered.length === 2) throw new Error("Out again");
          return null;
        },
        note: (ctx) => {
          entered.push([ctx.requestID, getCurrentScope()?.requestId]);
          return null;
        },
      },
    }),
  );
  await broker.start();
  ends.push(() => broker.stop());
  const tracing = await startTracing(broker, settings);

  const ids = ["req-1", "req-2", "req-3"];
  const calls = ids.map((requestID) => broker.call("hall.enter", {}, { requestID }));
  await eventually(() => entered.length === 1);
  letIn();
  await Promise.allSettled(calls);
  expect(entered).toEqual(
    ids.flatMap((id) => [
      [id, id],
      [id, id],
    ]),
  );

  await tracing.stop();
  const ofRequest = (id: string, name: string): ReceivedSpan =>
    receiver.spans.find((span) => span.name === name && span.attributes["partline.request_id"] === id)!;
  const spans = ids.map((id) => ({ entering: ofRequest(id, "hall.enter"), noting: ofRequest(id, "hall.note") }));
  for (const { entering, noting } of spans)
    expect([noting.traceId, noting.parentSpanId]).toEqual([entering.traceId, entering.spanId]);
  expect(new Set(spans.map(({ entering }) => entering.traceId)).size).toBe(ids.length);
});
