import { parentPort, workerData } from "node:worker_threads";
import readExcelFile from "read-excel-file/node";

/** Posts the sheets of a workbook, or why it cannot be read. */
const { bytes } = workerData as { bytes: ArrayBuffer };
try {
  parentPort?.postMessage(await readExcelFile(Buffer.from(bytes)));
} catch (error) {
  parentPort?.postMessage(error instanceof Error ? error.message : String(error));
}
