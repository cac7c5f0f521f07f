import Fastify from "fastify";
import { openDocumentStore } from "../../../durable/src/document-store/open.ts";

/** Fastify with a constant answer at /hello, and reading the benchmark's cart from a document store at /row. */
const [dataDir, cartId, row] = process.argv.slice(2) as [string, string, string];
const documents = await openDocumentStore({ dataDir });
const carts = documents.collection({ name: "bench_carts" });
await carts.replaceOne({ _id: cartId }, { ...(JSON.parse(row) as object), _id: cartId }, { upsert: true });

const app = Fastify();
app.get("/hello", () => ({ hello: "world" }));
app.get<{ Params: { id: string } }>("/row/:id", async (request) => carts.findOne({ _id: request.params.id }));
const address = await app.listen({ port: 0, host: "127.0.0.1" });
console.log(new URL(address).port);
