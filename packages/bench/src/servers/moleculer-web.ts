import type { AddressInfo } from "node:net";
import { ServiceBroker, type Service } from "moleculer";
import ApiGateway from "moleculer-web";

/** moleculer-web as its documentation shows it, without logs: one action with a constant answer. */
const broker = new ServiceBroker({ logger: false });
broker.createService({ name: "bench", actions: { hello: () => ({ hello: "world" }) } });
const api = broker.createService({
  name: "api",
  mixins: [ApiGateway],
  settings: {
    port: 0,
    ip: "127.0.0.1",
    logRequest: null,
    logResponse: null,
    routes: [{ path: "/", mappingPolicy: "restrict", aliases: { "GET hello": "bench.hello" } }],
  },
});
await broker.start();
const { server } = api as Service & { server: { address(): AddressInfo } };
console.log(server.address().port);
