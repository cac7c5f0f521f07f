import { parentPort, workerData } from "node:worker_threads";
import { IndexDirectory } from "./index-directory.ts";

/** Methods of the index directory that the main thread may ask for. */
export type Operation = Exclude<keyof IndexDirectory, "close">;

export interface Request {
  id: number;
  operation: Operation | "close";
  args: unknown[];
}

export type Response = { id: number; value: unknown } | { id: number; error: { code?: string; message: string } };

const port = parentPort!;
const directory = new IndexDirectory((workerData as { path: string }).path);

port.on("message", ({ id, operation, args }: Request) => {
  try {
    const run = directory[operation] as (...args: unknown[]) => unknown;
    port.postMessage({ id, value: run.apply(directory, args) } satisfies Response);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    port.postMessage({ id, error: { code, message } } satisfies Response);
  }
  if (operation === "close") port.close();
});
