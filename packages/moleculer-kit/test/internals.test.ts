import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { Serializers, ServiceBroker, type Context, type ServiceSchema } from "moleculer";
import ApiGateway from "moleculer-web";
import { announceLeaving } from "../src/leave-cluster.ts";
import {
  listEndpoints,
  getInternals,
  toMiddleware,
  getRegistry,
  RoundRobin,
  findTransit,
  type Conversions,
  type InternalContext,
  type WebInternals,
} from "../src/internals.ts";
import { eventually } from "../../../test/support/eventually.ts";

/**
 * An upgrade of Moleculer fails here first: its undocumented parts that are used do what they did.
 */
let caller: ServiceBroker;
let callee: ServiceBroker;
const seen: InternalContext[] = [];
const held = Promise.withResolvers<void>();

beforeAll(async () => {
  const namespace = `internals-${process.hrtime.bigint()}`;
  const options = (nodeID: string) => ({
    nodeID,
    namespace,
    logger: false as const,
    transporter: "Fake" as const,
    metadata: {},
    heartbeatInterval: 1,
    heartbeatTimeout: 30,
  });
  const note = toMiddleware({
    remoteAction: (next: (ctx: InternalContext) => Promise<unknown>) => (ctx: InternalContext) => {
      seen.push(ctx);
      return next(ctx);
    },
  });
  caller = new ServiceBroker({ ...options("caller"), middlewares: [note] });
  callee = new ServiceBroker({ ...options("callee"), metadata: { told: "yes" } });
  callee.createService({
    name: "shop",
    actions: {
      get: (ctx: Context) => ctx.params,
      hold: () => held.promise,
      take: async (ctx: Context) => (await buffer((ctx as unknown as InternalContext).stream!)).length,
    },
  });
  expect(getInternals(caller).started).not.toBe(true);
  await Promise.all([caller.start(), callee.start()]);
  await caller.waitForServices("shop");
});
afterAll(async () => {
  held.resolve();
  await Promise.all([caller.stop(), callee.stop()]);
});

test("a broker says that it has started, and what the REPL's socket speaks", () => {
  const { started, PROTOCOL_VERSION, serializer, errorRegenerator } = getInternals(caller);
  expect([started, typeof PROTOCOL_VERSION]).toEqual([true, "string"]);
  expect(serializer.deserialize(serializer.serialize({ a: 1 }))).toEqual({ a: 1 });
  expect(errorRegenerator.extractPlainError(new Error("no"))).toMatchObject({ name: "Error", message: "no" });
});

test("the transit knows who owes an answer, forgets a call, and pings", async () => {
  const transit = findTransit(caller)!;
  expect([transit.connected, "client" in transit.tx]).toEqual([true, false]);
  const answers: string[] = [];
  const answer = transit.responseHandler.bind(transit);
  transit.responseHandler = (packet) => {
    answers.push(packet.id);
    answer(packet);
  };
  const call = caller.call("shop.hold");
  call.catch(() => undefined);
  await eventually(() => transit.pendingRequests.size === 1);
  const [id, request] = [...transit.pendingRequests][0]!;
  expect([request.nodeID, request.ctx.action?.name, request.ctx.id]).toEqual(["callee", "shop.hold", id]);
  await transit.sendPing("callee");
  transit.removePendingRequest(id);
  expect(transit.pendingRequests.size).toBe(0);
  await caller.call("shop.get");
  expect(answers).toEqual([seen.at(-1)!.id]);
});

test("the context of a call says when it began and whom it asks, and can be made for another node", async () => {
  await caller.call("shop.get", {}, { timeout: 5_000 });
  const { startHrTime, options, endpoint } = seen.at(-1)!;
  expect([startHrTime?.length, options.timeout, endpoint.id, endpoint.local]).toEqual([2, 5_000, "callee", false]);
  const copy = seen.at(-1)!.copy(endpoint);
  expect([copy.id === seen.at(-1)!.id, copy.requestID === seen.at(-1)!.requestID]).toEqual([false, true]);
});

test("a stream comes with its place in the sequence, and is known until it is over", async () => {
  const transit = findTransit(callee)!;
  const streams: unknown[] = [];
  const take = transit._handleIncomingRequestStream.bind(transit);
  transit._handleIncomingRequestStream = (packet) => {
    const stream = take(packet);
    if (stream) streams.push([typeof stream.$prevSeq, stream.$pool.size, transit.pendingReqStreams.size]);
    return stream;
  };
  const stream = Readable.from([Buffer.alloc(10), Buffer.alloc(20)], { objectMode: false });
  expect(await caller.call("shop.take", {}, { stream } as object)).toBe(30);
  expect(streams).toEqual([["number", 0, 1]]);
});

test("the registry knows nodes, what they announce, and what they offer, and announces its own", async () => {
  const registry = getRegistry(caller);
  const told = registry.nodes.toArray().map(({ id, local, available, metadata }) => [id, local, available, metadata]);
  expect(told.sort()).toEqual([
    ["callee", false, true, { told: "yes" }],
    ["caller", true, true, {}],
  ]);
  expect(registry.services.services.length).toBeGreaterThan(0);
  expect(registry.actions.actions.has("shop.get")).toBe(true);
  expect(listEndpoints(caller, "shop.get").map(({ id, local }) => [id, local])).toEqual([["callee", false]]);
  expect(listEndpoints(caller, "shop.none")).toEqual([]);
  expect(listEndpoints(callee, "shop.get").map(({ local }) => local)).toEqual([true]);
  expect(registry.getLocalNodeInfo()).toMatchObject({ services: expect.any(Array) });
});

test("the strategy goes through the nodes in turn, and JSONExt has its two conversions", () => {
  const strategy = new RoundRobin(getRegistry(caller), caller, {});
  expect(strategy.broker).toBe(caller);
  const nodes = [{ id: "a" }, { id: "b" }];
  expect([1, 2, 3].map(() => strategy.select(nodes).id)).toEqual(["a", "b", "a"]);
  const { replacer, reviver } = new Serializers.JSONExt() as unknown as Conversions;
  const at = new Date(0);
  const written = replacer({ at }, "at", at.toJSON());
  expect(reviver("at", written)).toEqual(at);
});

test("a web service has its routes before it starts, and what serves them", () => {
  const web = caller.createService({
    name: "web",
    mixins: [ApiGateway as Partial<ServiceSchema>],
    settings: { server: false, routes: [{ path: "/", aliases: { "GET /things/:id": "shop.get" } }] },
  }) as unknown as WebInternals<object>;
  expect(web.aliases).toMatchObject([{ method: "GET", fullPath: "/things/:id", route: { path: "/" } }]);
  expect(typeof web.aliasHandler).toBe("function");
});

test("a node that is lost offers nothing until it is found again", async () => {
  const { nodes } = getRegistry(caller);
  nodes.disconnected("callee", true);
  expect([nodes.get("callee")!.available, listEndpoints(caller, "shop.get")]).toEqual([false, []]);
  await caller.waitForServices("shop");
  expect(listEndpoints(caller, "shop.get")).toHaveLength(1);
});

test("a node that announces no actions any more offers none", async () => {
  let updates = 0;
  getInternals(caller).localBus.on("$node.updated", () => (updates += 1));
  await announceLeaving(callee);
  await eventually(() => listEndpoints(caller, "shop.get").length === 0);
  expect(updates).toBeGreaterThan(0);
});
