import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { connect } from "nats";
import { startNode, type RunningNode } from "../../bin/node.ts";
import { createNames } from "../../packages/durable/src/channels/jetstream/names.ts";
import { outbox } from "../../services/contracts.ts";
import { awaitNoEvents, eventually } from "../support/eventually.ts";
import { NATS_SERVER, startOwnNats, type OwnNats } from "../support/nats-server.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

/** The configuration that the page on trust gives. */
const [block] = /^ {4}authorization \{[^]*?\n {4}\}$/m.exec(
  readFileSync(new URL("../../docs/trust.md", import.meta.url), "utf8"),
)!;

(NATS_SERVER ? describe : describe.skip)("the permissions in NATS of docs/trust.md", () => {
  let nats: OwnNats;
  const nodes: RunningNode[] = [];
  beforeAll(async () => {
    nats = await startOwnNats({ configuration: block });
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await nats?.stop();
  });
  const urlOf = (user: string): string => nats.url.replace("//", `//${user}:%E2%80%A6@`);

  test("are enough for calls and events of Partline, and another program only listens to its events", async () => {
    const shared = { NATS_URL: urlOf("partline"), CLUSTER_SECRET: "c".repeat(32) };
    const CART_PORT = String(await freePorts(1));
    for (const SERVICES of ["cart,eventstore", "http:cart"])
      nodes.push(await startNode(testSettings({ ...shared, SERVICES, CART_PORT, ADMIN_TOKEN: "t" })));
    const [one, other] = nodes as [RunningNode, RunningNode];
    await other.broker.waitForServices("cart", 10_000, 50);
    expect(await other.broker.call("cart.get", { cartId: "cart_1700000000000_k3j9x2m1q" }).catch(codeOf)).toBe(
      "NOT_FOUND",
    );

    const erp = await connect({ servers: nats.url, user: "erp", pass: "…" });
    const refused: unknown[] = [];
    void (async () => {
      for await (const { type, permissionContext } of erp.status())
        if ((type as string) === "error") refused.push(permissionContext?.operation);
    })();
    const heard: string[] = [];
    const follow = (subject: string) =>
      erp.subscribe(subject, { callback: (error, message) => void (error ?? heard.push(message.string())) });
    follow("partline.event.order.*");
    follow("MOL-partline.>");
    const { stores } = one.runtime;
    const cancelled = {
      orderId: "ord_1",
      version: 2,
      actor: "admin",
      from: "pending",
      to: "cancelled",
      reason: "other",
      toShip: [],
    };
    await stores!.documents.atomically([outbox("order.cancelled", cancelled as never)]);
    stores!.channels.wake();
    await eventually(() => heard.length > 0);
    expect(JSON.parse(heard[0]!)).toMatchObject({ channel: "order.cancelled", payload: { orderId: "ord_1" } });
    await awaitNoEvents(stores!.channels);
    erp.publish(createNames("partline").toEventSubject("order.cancelled"), "{}");
    await eventually(() => refused.length === 2);
    expect(refused.toSorted()).toEqual(["publish", "subscription"]);
    await erp.close();
  }, 60_000);
});

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
