import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { call } from "../../services/contracts.ts";
import { testNamespace, removeStreams } from "../support/jetstream.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { admin, owner, payment } from "./order.support.ts";

const { NATS_URL } = process.env;
const COUNT = 30;
const NATS_MESSAGE = 1024 * 1024;
const namespace = testNamespace();

const systems = {
  "over messages of 1 MiB": () =>
    startTestBroker({ services: ["order", "access"], transport: "fake", maxMessage: NATS_MESSAGE }),
  "over NATS": () =>
    startTestBroker({
      services: ["order", "access"],
      transport: "nats",
      settings: testSettings({ NATS_URL: NATS_URL!, NATS_NAMESPACE: namespace }),
    }),
};

for (const [where, start] of Object.entries(systems)) {
  const isNats = where === "over NATS";
  (isNats && NATS_URL === undefined ? describe.skip : describe)(`Orders of 100 lines ${where}`, () => {
    let system: TestBroker;
    beforeAll(async () => {
      system = await start();
      const items = Array.from({ length: 100 }, (_, n) => ({
        productId: `bns-${n}`,
        partNumber: `BNS-${n}`,
        name: `Part ${n} `.padEnd(200, "x"),
        quantity: 1,
        price: 100,
      }));
      for (let n = 0; n < COUNT; n++) await call(system.broker, "order.createFromPayment", payment({ items }));
    }, 60_000);
    afterAll(async () => {
      await system?.stop();
      if (isNats) await removeStreams(NATS_URL!, namespace);
    });

    it("are searched from a cursor on by pages that a message holds", async () => {
      const found = new Set<string>();
      let cursor: string | undefined;
      do {
        const page = await call(system.as(admin), "order.adminSearch", {
          pageSize: 100,
          ...(cursor ? { cursor } : {}),
        });
        expect(page.orders.length).toBeGreaterThan(0);
        for (const { orderId } of page.orders) found.add(orderId);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found.size).toBe(COUNT);
    });

    it("are exported with what is their buyer's", async () => {
      let text = "";
      for (let position: string | undefined = "orders:1"; position?.startsWith("orders:");) {
        const piece: ExportPage = await call(system.as(owner()), "access.exportUser", { id: "user_1", position });
        text += piece.text;
        position = piece.next ?? undefined;
      }
      expect(text.match(/"orderId"/g)).toHaveLength(COUNT);
    });

    if (isNats)
      it("are listed by pages that fit, and a larger page is refused by the size that fits", async () => {
        const list = (pageSize: number) =>
          call(system.as(owner()), "order.listForUser", { userId: "user_1", pageSize });
        const refusal = await list(COUNT).then(
          () => "",
          ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
        );
        const [, most] = /^VALIDATION_FAILED: The 'pageSize' field must be at most (\d+) here/.exec(refusal) ?? [
          refusal,
        ];
        expect((await list(Number(most))).orders).toHaveLength(Number(most));
        await expect(call(system.as(admin), "order.adminList", { pageSize: 100 })).rejects.toMatchObject({
          code: "VALIDATION_FAILED",
        });
      });
  });
}
