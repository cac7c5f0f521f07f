import { setTimeout as delay } from "node:timers/promises";
import { openObjectStore } from "../src/object-store/open.ts";

/** Puts two objects that never come to their end. */
const store = await openObjectStore({ dataDir: process.argv[2]! });
async function* endless(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(100_000, 1);
    await delay(5);
  }
}
await Promise.all([store.put("crash/kept", endless()), store.put("crash/new", endless())]);
