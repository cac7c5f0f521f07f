import { parentPort, workerData } from "node:worker_threads";
import { assembleFiles } from "./assemble-files.ts";
import type { AssemblyJob } from "./job.ts";

parentPort!.postMessage(await assembleFiles(workerData as AssemblyJob));
