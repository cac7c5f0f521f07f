import { afterEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { defineService } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { freePorts } from "../../support/ports.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";
import { send } from "./edge-client.ts";

const shared = { method: "POST", entries: ["catalog"], access: "none", envelope: false, awaits: "index.take" } as const;
const result = { type: "object", props: { written: { type: "number" } } } as const;
const storeContract = defineService({
  name: "catalog",
  summary: "Writes",
  actions: {
    write: { summary: "Write", params: {}, result, errors: [], http: [{ ...shared, path: "/writes" }] },
    refuse: { summary: "Refuse", params: {}, result, errors: [], http: [{ ...shared, path: "/refusals" }] },
    health: { summary: "Health", params: {}, result: { type: "object", props: {} }, errors: [] },
  },
});

describe("a route that awaits an action", () => {
  let running: TestBroker;
  let port: number;
  let order: string[];
  let warnings: unknown[];
  afterEach(() => running.stop());

  const store = () =>
    implement(storeContract, {
      actions: {
        write: () => {
          order.push("written");
          return { written: 1 };
        },
        refuse: () => {
          throw new Error("Refused");
        },
        health: () => ({}),
      },
    });
  const entry = (broker: ServiceBroker): ServiceSchema => {
    broker.logger.warn = (...logged: unknown[]) => void warnings.push(logged);
    return createEntryPointService(broker, "catalog", [storeContract]);
  };
  const start = async (...more: ((broker: ServiceBroker) => ServiceSchema)[]): Promise<void> => {
    [order, warnings] = [[], []];
    port = await freePorts(1);
    running = await startTestBroker({
      services: [store, ...more, entry],
      transport: "fake",
      settings: testSettings({ [toPortSetting("catalog")]: String(port) }),
    });
  };
  const index = (take: () => Promise<void>) => (): ServiceSchema => ({ name: "index", actions: { take } });

  test("answers once the action has resolved, and calls it for a success alone", async () => {
    await start(index(async () => void order.push("taken in")));
    const { status, json } = await send(port, "POST", "/writes");
    expect([status, json, order]).toEqual([200, { written: 1 }, ["written", "taken in"]]);
    expect((await send(port, "POST", "/refusals")).status).toBe(500);
    expect(order).toEqual(["written", "taken in"]);
  });

  test("answers what was written also if the action fails, and says so in the log", async () => {
    await start(index(() => Promise.reject(new Error("The index is away"))));
    const { status, json } = await send(port, "POST", "/writes");
    expect([status, json]).toEqual([200, { written: 1 }]);
    expect(warnings).toMatchObject([[{ action: "index.take" }, expect.any(String), expect.any(Error)]]);
  });

  test("answers at once if no node offers the action", async () => {
    await start();
    expect((await send(port, "POST", "/writes")).json).toEqual({ written: 1 });
    expect(warnings).toEqual([]);
  });
});
