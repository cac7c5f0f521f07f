import { workerData } from "node:worker_threads";
import { openForWriting, serveWriter } from "../../sqlite/serve.ts";
import type { CollectionDefinition } from "../port.ts";
import { GroupCommit } from "./group-commit.ts";
import type { WriterOptions } from "./protocol.ts";

/** Entry of the writer thread. */

const { path, busyTimeoutMs, definitions } = workerData as WriterOptions & { definitions: string };
const database = openForWriting(path, { busyTimeoutMs });
serveWriter(database, new GroupCommit(database, JSON.parse(definitions) as CollectionDefinition[]));
