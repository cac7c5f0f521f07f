import { workerData } from "node:worker_threads";
import { openForWriting, serveWriter } from "../../sqlite/serve.ts";
import { AppendGroup } from "./append-group.ts";
import type { WriterOptions } from "./protocol.ts";

/** Entry of the writer thread. */

const { path, busyTimeoutMs } = workerData as WriterOptions;
const database = openForWriting(path, { busyTimeoutMs, cacheKiB: 8_000 });
serveWriter(database, new AppendGroup(database));
