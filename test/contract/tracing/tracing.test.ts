import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "./otlp-receiver.ts";
import { startTracedShop, type TracedShop } from "./traced-shop.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const [SERVER, CLIENT, PRODUCER, CONSUMER] = [2, 3, 4, 5] as const;

let receiver: OtlpReceiver;
let shop: TracedShop | undefined;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
});

afterEach(async () => {
  await shop?.stop();
  await receiver.stop();
  shop = undefined;
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
});

/** The SDK reads some of the settings from the process's environment itself. */
function start(env: Record<string, string> = {}): Promise<TracedShop> {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env };
  Object.assign(process.env, all);
  return startTracedShop(all);
}

const named = (name: string, kind: number): ReceivedSpan => {
  const found = receiver.spans.filter((span) => span.name === name && span.kind === kind);
  expect(found.map(() => name)).toEqual([name]);
  return found[0]!;
};

describe("traces", () => {
  test("are one connected tree from a request over nodes, an event and its consumer to a provider", async () => {
    shop = await start({
      OTEL_SERVICE_NAME: "shop-of-the-test",
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=secret-key",
    });
    const reply = await shop.buy("wheel", { "x-request-id": "sale-1", traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
    expect(reply.status).toBe(200);
    await eventually(() => shop!.handled() === 1);
    await shop.endTracing();

    const request = named("POST /api/items/{item}", SERVER);
    const sold = named("till.buy", CLIENT);
    const selling = named("till.buy", SERVER);
    const asked = named("stock.take", CLIENT);
    const taking = named("stock.take", SERVER);
    const written = named("create test.sold", PRODUCER);
    const handling = named("process test.sold", CONSUMER);
    const noted = named("stock.note", CLIENT);
    const noting = named("stock.note", SERVER);
    const sending = named("GET", CLIENT);
    const all = [request, sold, selling, asked, taking, written, handling, noted, noting, sending];

    // Probes, which have come meanwhile, are not traced.
    expect(receiver.spans).toHaveLength(all.length);
    expect(new Set(all.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    const parents: [ReceivedSpan, ReceivedSpan][] = [
      [sold, request],
      [selling, sold],
      [asked, selling],
      [taking, asked],
      [written, selling],
      [handling, written],
      [noted, handling],
      [noting, noted],
      [sending, handling],
    ];
    for (const [child, parent] of parents)
      expect([child.name, child.parentSpanId]).toEqual([child.name, parent.spanId]);
    expect(request.parentSpanId).toBe("b7ad6b7169203331");
    expect(handling.links).toEqual([expect.objectContaining({ traceId: TRACE, spanId: written.spanId })]);
    expect(shop.asked[0]!.headers.traceparent).toBe(`00-${TRACE}-${sending.spanId}-01`);

    // Who handles the event does so for the request that caused it.
    for (const span of [request, sold, selling, taking, handling, noting])
      expect(span.attributes["partline.request_id"]).toBe("sale-1");
    expect(request.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/api/items/{item}",
      "http.response.status_code": 200,
    });
    expect(taking.attributes).toMatchObject({
      "rpc.system": "moleculer",
      "rpc.service": "stock",
      "rpc.method": "take",
    });
    expect(handling.attributes).toMatchObject({
      "messaging.destination.name": "test.sold",
      "messaging.consumer.group.name": "post",
    });
    expect(sending.attributes).toMatchObject({ "partline.provider": "carrier", "http.response.status_code": 200 });
    expect(new Set(all.map(({ resource }) => resource["service.name"]))).toEqual(new Set(["shop-of-the-test"]));
    expect(new Set(all.map(({ resource }) => resource["service.instance.id"])).size).toBe(4);
    expect(receiver.headers["x-collector-key"]).toBe("secret-key");
    // No address, no item of a path, no query.
    expect(receiver.text()).not.toMatch(/ada@|wheel|parcels/);
  });

  test("report an error by its code, without its words", async () => {
    shop = await start();
    expect((await shop.buy("gone")).status).toBe(404);
    await shop.endTracing();
    for (const [name, kind] of [
      ["stock.take", SERVER],
      ["stock.take", CLIENT],
      ["till.buy", SERVER],
    ] as const) {
      expect(named(name, kind)).toMatchObject({ failed: true, attributes: { "error.type": "NOT_FOUND" } });
    }
    // It is the client's fault, not the server's.
    expect(named("POST /api/items/{item}", SERVER)).toMatchObject({
      failed: false,
      attributes: { "http.response.status_code": 404 },
    });
    expect(receiver.text()).not.toMatch(/ada@|No gone/);
  });

  test("are left to who asks whether they are taken, and say so on", async () => {
    shop = await start();
    await shop.buy("wheel", { traceparent: `00-${TRACE}-b7ad6b7169203331-00` });
    await eventually(() => shop!.handled() === 1);
    await shop.buy("wheel", { traceparent: "nonsense" });
    await eventually(() => shop!.handled() === 2);
    await shop.endTracing();
    expect(shop.asked[0]!.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    expect(new Set(receiver.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(receiver.spans.some(({ traceId }) => traceId === TRACE)).toBe(false);
  });

  test("are none where the sampler takes none, and calls go on", async () => {
    shop = await start({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0" });
    expect((await shop.buy("wheel")).status).toBe(200);
    await eventually(() => shop!.handled() === 1);
    await shop.endTracing();
    expect(receiver.spans).toEqual([]);
    expect(shop.asked[0]!.headers.traceparent).toMatch(/-00$/);
  });

  test("are lost while nobody takes them, which fails nothing and holds up no stop", async () => {
    await receiver.stop();
    shop = await start({ OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop!.buy("wheel")));
    expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    const stoppingAt = performance.now();
    await shop.endTracing();
    expect(performance.now() - stoppingAt).toBeLessThan(5_000);
    expect((await shop.buy("wheel")).status).toBe(200);
  });
});

test("nothing is sent on, and no SDK asked, where no endpoint is set", async () => {
  shop = await startTracedShop({});
  await shop.buy("wheel");
  await eventually(() => shop!.handled() === 1);
  await shop.endTracing();
  expect(shop.asked[0]!.headers).not.toHaveProperty("traceparent");
  expect(receiver.spans).toEqual([]);
});
