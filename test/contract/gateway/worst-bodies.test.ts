import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ActionDefinition, ServiceContract } from "../../../broker/contract/define.ts";
import { implement } from "../../../broker/contract/implement.ts";
import { toPortSetting } from "../../../broker/settings/addresses.ts";
import { createEntryPointService } from "../../../gateway/http/entry-point.ts";
import { contracts } from "../../../services/all-contracts.ts";
import { freePorts } from "../../support/ports.ts";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";
import { testSettings } from "../../support/test-settings.ts";
import { UNREAD, worstBodies } from "../../support/worst-bodies.ts";
import { send } from "./edge-client.ts";

/**
 * Milliseconds of the event loop that an answer may take, the test's own client included. By its clock, which stands
 * while others have the processor.
 */
const LONGEST_MS = 300;

/**
 * Every action that a body can be sent to, at a path of its own that is open to anybody. All its params are in the
 * body.
 */
const open = contracts.flatMap((contract: ServiceContract): ServiceContract[] => {
  const actions = Object.entries<ActionDefinition>(contract.actions).flatMap(
    ([name, { summary, params, http = [] }]) =>
      http.some(({ method, body }) => !body && method !== "GET" && method !== "DELETE")
        ? [
            [
              name,
              {
                summary,
                params,
                result: { type: "any" },
                errors: [],
                http: [
                  {
                    method: "POST",
                    path: `/${contract.name}/${name}`,
                    entries: ["payment"],
                    access: "none",
                    envelope: false,
                  },
                ],
              },
            ] as const,
          ]
        : [],
  );
  return actions.length === 0
    ? []
    : [{ name: contract.name, summary: contract.summary, actions: Object.fromEntries(actions) }];
});

/** Characters: of 100 errors at most. */
const LONGEST_ANSWER = 100_000;

/** What several fields check alike is sent to the first of them. */
const seen = new Set<string>();

let running: TestBroker;
let port: number;
beforeAll(async () => {
  port = await freePorts(1);
  const services = open.map(
    (contract) => () =>
      implement(contract, {
        actions: Object.fromEntries(Object.keys(contract.actions).map((name) => [name, () => null])),
      }),
  );
  running = await startTestBroker({
    services: [...services, (broker) => createEntryPointService(broker, "payment", open)],
    settings: testSettings({ [toPortSetting("payment")]: String(port) }),
  });
});
afterAll(() => running.stop());

test.each(
  open.flatMap(({ name, actions }) =>
    Object.entries(actions).map(([action, { params }]) => [`${name}/${action}`, params] as const),
  ),
)("the worst bodies of %s are refused at once", async (path, params) => {
  const slow: string[] = [];
  for (const { name, json } of worstBodies(params, seen)) {
    const body = Buffer.from(json);
    const { status, text, ms } = await fastestOf(3, `/${path}`, body);
    if (ms > LONGEST_MS || ![200, 400].includes(status) || text.length > LONGEST_ANSWER)
      slow.push(`${name}: ${status} of ${text.length} characters after ${ms} ms`);
  }
  expect(slow).toEqual([]);
});

test("what no rule is to see is refused before, at once", async () => {
  const [{ name: service, actions }] = open as [ServiceContract];
  for (const { name, json } of UNREAD) {
    const target = `/${service}/${Object.keys(actions)[0]!}`;
    const { status, text, ms } = await fastestOf(3, target, Buffer.from(json));
    expect([name, status, text]).toEqual([name, 400, expect.stringContaining("has more than")]);
    expect([name, Math.max(ms, LONGEST_MS)]).toEqual([name, LONGEST_MS]);
  }
});

/**
 * Of so many tries: what else the process does (such as collecting garbage of an earlier body) is in the time of one of
 * them.
 */
async function fastestOf(
  tries: number,
  target: string,
  body: Buffer,
): Promise<{ status: number; text: string; ms: number }> {
  const before = process.threadCpuUsage();
  const { status, text } = await send(port, "POST", target, { body, headers: { "content-type": "application/json" } });
  const { user, system } = process.threadCpuUsage(before);
  const ms = Math.round((user + system) / 1_000);
  if (ms <= LONGEST_MS || tries === 1) return { status, text, ms };
  return fastestOf(tries - 1, target, body);
}
