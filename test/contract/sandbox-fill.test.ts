import { expect, test } from "@jest/globals";
import { Errors, type Context, type ServiceSchema } from "moleculer";
import type { Readable } from "node:stream";
import createSandboxService from "../../bin/sandbox.service.ts";
import { freePorts } from "../support/ports.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

/** Of a listing that takes longer than a call that is not slow. */
const LOOKS = 25;

/** A catalog whose node hung a moment ago: what comes in the moment after is refused. */
function catalogThatHung(refusals: { stats: number; import: number }, imported: string[]): ServiceSchema {
  const left = { ...refusals };
  let looks = 0;
  const refuseFirst = (name: "stats" | "import"): void => {
    if (left[name]-- > 0) throw new Errors.ServiceNotAvailableError({ action: `catalog.${name}`, nodeID: "services" });
  };
  return {
    name: "catalog",
    actions: {
      stats: () => {
        refuseFirst("stats");
        return { total: 0 };
      },
      import: async (ctx: Context<{ vendor: string }> & { options: { stream?: Readable } }) => {
        refuseFirst("import");
        await ctx.options.stream!.resume().toArray();
        imported.push(ctx.params.vendor);
        return { written: 1, refusedTotal: 0 };
      },
      batchSync: () => ({ syncId: "sync" }),
      sync: () => ({ status: ++looks > LOOKS ? "completed" : "running", rows: { written: 10 } }),
    },
  };
}

test("the first fill goes on when the catalog's node refuses it for a moment, takes in every supplier, and is never slow", async () => {
  const imported: string[] = [];
  const started = await startTestBroker({
    services: [
      createSandboxService,
      () => catalogThatHung({ stats: 1, import: 1 }, imported),
      () => ({ name: "media", actions: { has: ({ params }: Context<{ ids: string[] }>) => params } }),
      () => ({ name: "pipeline", actions: { jobs: () => ({ pagination: { total: 1 } }) } }),
    ],
    settings: testSettings({ SANDBOX_PORT: String(await freePorts(6)) }),
  });
  try {
    const written = await started.broker.call<number>("sandbox.fill");
    expect(imported.length).toBeGreaterThan(1);
    expect([written, new Set(imported).size]).toEqual([imported.length + 10, imported.length]);
    expect(started.warnings).not.toContain("Slow action");
  } finally {
    await started.stop();
  }
}, 60_000);
