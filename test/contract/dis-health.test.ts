import { afterEach, describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../gateway/http/entry-point.ts";
import { call } from "../../services/contracts.ts";
import { catalogParts, DEALER, startTestDealer, type TestDealer } from "../support/dealer-sandbox.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const [part] = catalogParts("KOH").map(({ vendor, partNumber }) => ({ vendor, partNumber }));

describe.each([
  ["catalog", "local"],
  ["search", "fake"],
] as const)("The health of the %s entry point (%s)", (entry, transport) => {
  let dealer: TestDealer;
  let test: TestBroker;
  let url: string;
  afterEach(async () => {
    await test.stop();
    await dealer.close();
  });

  async function start(services: readonly string[]): Promise<void> {
    dealer = await startTestDealer();
    const port = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    const settings = testSettings({
      DIS_URL: dealer.url,
      DIS_API_KEY: DEALER.apiKey,
      DIS_DEALER_ID: DEALER.dealerId,
      [toPortSetting(entry)]: String(port),
    });
    test = await startTestBroker({
      services: [...services, (broker) => createEntryPointService(broker, entry)],
      transport,
      settings,
    });
    await eventually(async () => (await fetch(`${url}/health/ready`)).status === 200);
  }

  const inquire = () => call(test.broker, "dis-router.inquire", { parts: [part!], maxAgeSeconds: 0 });
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    return {
      status: response.status,
      body: (await response.json()) as { status: string; dependencies: Record<string, { status: string }> },
    };
  };
  const dis = async () => (await ask("/health")).body.dependencies.dis;

  it("reports how the dealer inventory system answered last, asks it nothing, and stays ready after any outcome", async () => {
    await start(["catalog", "search", "dis-router"]);
    expect(await dis()).toEqual({ status: "unknown", error: null, askedAt: null });
    await inquire();
    expect(await dis()).toEqual({ status: "ok", error: null, askedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    await dealer.fault("key_refused");
    await inquire();
    const asked = (await dealer.inquiries()).length;
    for (const path of ["/health", "/health/ready"]) {
      expect(await ask(path)).toMatchObject({
        status: 200,
        body: { status: "ok", dependencies: { [entry]: { status: "ok" }, dis: { status: "error", error: "refused" } } },
      });
    }
    expect(await dealer.inquiries()).toHaveLength(asked);
    // With a node of its own, the router's failures are in that one's metrics.
    if (transport === "local")
      expect(await (await fetch(`${url}/metrics`)).text()).toContain(
        'partline_provider_failures_total{provider="dis",reason="refused"} 1',
      );

    const description = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>;
    };
    const { schema } = description.paths["/health"]!.get.responses["200"]!.content["application/json"]!;
    const validate = formats.default(new Ajv2020({ strict: false, validateFormats: true })).compile(schema);
    validate((await ask("/health")).body);
    expect(validate.errors).toBeNull();
  });

  it("says nothing of it, and is well, where no router is", async () => {
    await start(["catalog", "search"]);
    const { status, body } = await ask("/health/ready");
    expect([status, body.status, body.dependencies.dis]).toEqual([200, "ok", undefined]);
  });
});
