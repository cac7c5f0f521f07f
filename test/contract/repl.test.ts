import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { AS_ADMIN, type Answer } from "../../bin/repl/command.ts";
import { COMMANDS, createReplCommands } from "../../bin/repl/commands.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import type { Result } from "@partline/api-contracts";
import { enqueueWrite } from "../../packages/durable/src/tasks/task.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { consumerService } from "../support/consumer-service.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { runLine } from "./repl.support.ts";
import { payment, RefundProvider } from "./order.support.ts";

const outbox = createOutboxWrite<{ "test.happened": { n: number } }>();

describe("The REPL's commands", () => {
  const provider = new RefundProvider();
  let reconciled: Result<Actions["payment.reconcile"]> = { checked: 0, created: [], unclaimed: [], failed: [] };
  let test: TestBroker;
  beforeAll(async () => {
    const handler = () => Promise.reject(new Error("the printer is on fire"));
    const printing = consumerService("printing", { "test.happened": { group: "printing", maxRetries: 0, handler } });
    const payments = (_broker: ServiceBroker): ServiceSchema => ({
      name: "payment",
      actions: { reconcile: () => reconciled },
    });
    test = await startTestBroker({
      settings: testSettings({ STRIPE_API_BASE: await provider.start() }),
      services: ["eventstore", "order", "analytics", "pipeline", printing, payments],
    });
  });
  afterAll(async () => {
    await test.stop();
    await provider.stop();
  });

  const type = (line: string): Promise<Answer | string> => runLine(test.broker, line);
  const rows = async (line: string): Promise<Answer["rows"]> => {
    const answer = await type(line);
    if (typeof answer === "string") throw new Error(answer);
    for (const row of answer.rows) expect(row).toHaveLength(answer.columns.length);
    return answer.rows;
  };

  /** As the REPL prints it. */
  const shown = async (line: string): Promise<string> => {
    const [name, ...words] = line.split(" ");
    const lines: unknown[] = [];
    const log = jest.spyOn(console, "log").mockImplementation((text) => void lines.push(text));
    await createReplCommands()
      .find(({ command }) => command.startsWith(`${name} `))!
      .action(test.broker, words, {});
    log.mockRestore();
    return lines.join("\n");
  };

  it("say in one line what they take", async () => {
    expect(await type("dead-letters")).toMatch(/^Usage: dead-letters list \[how many\] \| dead-letters replay /);
    expect(await type("orders history")).toBe(
      "The order number or id is missing. Usage: orders history <order number or order id>",
    );
    expect(await type("orders history a b")).toBe('Unexpected "b". Usage: orders history <order number or order id>');
    expect(await type("orders reconcile yesterday")).toBe(
      '"yesterday" is not an ISO 8601 time. Usage: orders reconcile [since, ISO 8601]',
    );
    expect(await type("orders refund ord_1 much")).toMatch(/^"much" is not an amount\. Usage: orders refund /);
    expect(await type("orders cancel ord_1 10.00")).toMatch(/^A cancellation takes no amount: /);
    expect(await type("eventstore tail kind=A")).toMatch(
      /^"kind=A" is not one of aggregate=…, aggregate-type=…, event-type=…\. Usage: eventstore tail /,
    );
    expect(await type("projections constructor")).toMatch(/^Usage: /);
  });

  it("report in one line what the system refuses", async () => {
    expect(await type("orders history ord_nothing")).toBe("NOT_FOUND: Order ord_nothing not found");
    expect(await type("dead-letters drop printing:nothing")).toBe("NOT_FOUND: Dead letter printing:nothing not found");
    expect(await type("projections rebuild nothing")).toBe(
      "The 'projection' field must be one of: orders, conversion, searches.",
    );
    expect(await type("orders refund ord_nothing")).toBe("NOT_FOUND: Order ord_nothing not found");
    expect(await type("search-index list")).toBe("No node runs the search service; cluster nodes lists what runs");
    expect(await type("jobs show nothing")).toMatch(/^The 'batch_id' field must be like batch_01[0-9A-Z]{24}\.$/);
  });

  it("list, replay and drop dead letters", async () => {
    await test.documents.atomically([outbox("test.happened", { n: 1 }, "first")]);
    test.channels.wake();
    const [letter] = await eventually(async () => {
      const letters = await rows("dead-letters list");
      return letters.length > 0 && letters;
    });
    expect(letter).toEqual([
      "printing:first",
      "test.happened",
      "1",
      expect.any(String),
      "the printer is on fire",
      '{"n":1}',
    ]);
    expect(await rows("dead-letters replay printing:first")).toEqual([["printing:first", "retrying"]]);
    await eventually(async () => (await rows("dead-letters list 1")).length > 0);
    expect(await rows("dead-letters drop printing:first")).toEqual([["printing:first", "dropped"]]);
    expect(await rows("dead-letters list")).toEqual([]);
  });

  it("list, show, retry and drop durable tasks", async () => {
    const enqueue = enqueueWrite<{ "test.print": { n: number } }>();
    await test.documents.atomically([enqueue("test.print", "a", { n: 1 }, { dueAt: new Date("2100-01-01") })]);
    const listed = ["test.print:a", "waiting", "2100-01-01 00:00:00Z", "0", ""];
    expect(await rows("tasks list kind=test.print")).toEqual([listed]);
    expect(await rows("tasks list state=dead")).toEqual([]);
    expect(await type("tasks list state=lost")).toBe(
      '"lost" is not one of waiting, dead. Usage: tasks list [kind=…] [state=waiting or dead]',
    );
    expect(await rows("tasks show test.print:a")).toContainEqual(["payload", '{"n":1}']);
    expect(await rows("tasks retry test.print:a")).toEqual([["test.print:a", "due now"]]);
    expect((await test.tasks.find("test.print:a"))!.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await rows("tasks drop test.print:a")).toEqual([["test.print:a", "dropped"]]);
    expect(await type("tasks show test.print:a")).toBe("NOT_FOUND: Task test.print:a not found");
  });

  it("find orders, read their history, and make those whose webhook was lost", async () => {
    expect(await type("orders find ORD-1")).toMatchObject({ rows: [], note: "0 of 0" });
    const { orderId, orderNumber } = await call(test.broker, "order.createFromPayment", {
      ...payment(),
      contact: { email: "ada@example.com" },
    });
    const [order] = await rows(`orders find ${orderNumber}`);
    expect(await rows("orders find Ada@Example.com")).toEqual([order]);
    expect(await type("orders find nobody@example.com")).toMatchObject({ rows: [], note: "0" });
    expect(order).toEqual([
      orderId,
      orderNumber,
      "pending, paid",
      "100.00 USD",
      "2",
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
    ]);
    await call(test.broker, "order.adminUpdate", { orderId, adminNote: "seen" }, AS_ADMIN);
    await eventually(async () => (await rows(`orders history ${orderId}`)).length > 1);
    expect((await rows(`orders history ${orderId}`)).map(([version, event]) => [version, event])).toEqual([
      ["1", "ORDER_CREATED"],
      ["2", "ORDER_UPDATED"],
    ]);
    const history = await type(`orders history ${orderNumber.toLowerCase()}`);
    expect((history as Answer).rows.slice(1).map((row) => row.slice(3))).toEqual([
      ["admin", "pending, paid", "pending, paid", "", '{"changed":["adminNote"]}'],
    ]);
    expect(await type("orders history ORD-20200101-000001")).toMatch(
      /^No order has the number ORD-20200101-000001\. Usage: /,
    );

    expect(await shown("orders reconcile")).toMatch(/^0 sessions .*checked, 0 orders created, 0 unclaimed, 0 failed$/);
    expect(await shown("eventstore tail event-type=NEVER")).toBe("Nothing.");
    reconciled = { checked: 2, created: ["ord_lost"], unclaimed: ["cs_link"], failed: ["cs_broken"] };
    const answer = await type("orders reconcile 2026-01-01T00:00:00Z");
    expect(answer).toMatchObject({ note: "2 sessions and events checked, 1 orders created, 1 unclaimed, 1 failed" });
    expect((answer as Answer).rows).toEqual([
      ["created", "ord_lost"],
      ["unclaimed", "cs_link"],
      ["failed", "cs_broken"],
    ]);
  });

  it("show an order, refund part of it, then cancel it with the rest", async () => {
    const { orderId, orderNumber } = await call(test.broker, "order.createFromPayment", payment());
    const order = await shown(`orders show ${orderNumber}`);
    expect(order.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(order).toMatch(/\ntotal +100\.00 USD\n[^]*\nshippingAddress +Ada Mechanic, 1 Main St, /);
    expect(order).toMatch(
      /\npart +name +quantity +price +total\n[- ]+\nBNS-A +Part A +2 +20\.00 USD +40\.00 USD\nBNS-B /,
    );
    expect(await type(`orders refund ${orderNumber} 12.5 reason=duplicate`)).toMatchObject({
      rows: [[orderId, orderNumber, "pending, partially_refunded", expect.stringMatching(/^ref_/)]],
      note: "12.50 USD refunded; 12.50 USD of 100.00 USD in all",
    });
    expect(await shown(`orders show ${orderId}`)).toMatch(
      /\nRefund ref_\S+ of 12\.50 USD: succeeded, duplicate, admin, 20/,
    );
    const refund = await eventually(async () => (await rows(`orders history ${orderId}`))[1]);
    expect(refund.slice(3)).toEqual([
      ...["admin", "pending, paid", "pending, partially_refunded", expect.stringContaining("12.50")],
      expect.stringMatching(/"refundId":"ref_.*"reason":"duplicate"/),
    ]);
    expect(await type(`orders refund ${orderId} 90`)).toMatch(/^VALIDATION_FAILED: |^INVALID_TRANSITION: |'amount'/);
    expect(await type(`orders cancel ${orderId} reason=nothing`)).toMatch(/^The 'reason' field /);
    expect(await type(`orders cancel ${orderId} reason=fraudulent`)).toMatchObject({
      rows: [[orderId, orderNumber, "cancelled, refunded", expect.stringMatching(/^ref_/)]],
      note: "87.50 USD refunded",
    });
    expect(provider.taken.map(({ amount }) => amount)).toEqual([1_250, 8_750]);
    expect(await type(`orders refund ${orderId}`)).toMatch(/^INVALID_TRANSITION: |^VALIDATION_FAILED: /);
  });

  it("cancel by force what the provider does not pay back, and say what is due", async () => {
    const { orderId, orderNumber } = await call(test.broker, "order.createFromPayment", payment());
    provider.mode = "refuses";
    expect(await type(`orders cancel ${orderNumber}`)).toMatch(/^PROVIDER_ERROR: /);
    expect(await type(`orders cancel ${orderNumber} force`)).toMatchObject({
      rows: [[orderId, orderNumber, "cancelled, paid", expect.stringMatching(/^ref_/)]],
      note: expect.stringMatching(/; 100\.00 USD is due and retried until it is refunded$/),
    });
    provider.mode = "works";
  });

  it("are described by --help, which starts nothing", async () => {
    const script = fileURLToPath(new URL("../../bin/repl.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", script, "--help"],
      { timeout: 60_000, env: { ...CHILD_ENVIRONMENT, DATA_DIR: "/nowhere/at/all" } },
    );
    expect(stdout).toMatch(/^Usage: npm run repl\n/);
    for (const { name } of COMMANDS) expect(stdout).toContain(`    ${name} `);
  }, 70_000);

  it("list the projections, and rebuild them", async () => {
    expect((await rows("projections list")).length).toBeGreaterThan(0);
    expect((await rows("projections rebuild")).length).toBeGreaterThan(0);
  });
});
