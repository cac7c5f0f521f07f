import { parentPort, workerData } from "node:worker_threads";
import { generateManual } from "./generate.ts";
import { SAMPLE_MANUALS, type SampleName } from "./samples.ts";

/** Writes one sample manual and ends. */
const { seed, options } = SAMPLE_MANUALS[workerData as SampleName];
const { pdf } = await generateManual(seed, options);
parentPort!.postMessage(new Uint8Array(pdf));
