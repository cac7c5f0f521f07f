import { parentPort, workerData } from "node:worker_threads";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import readExcelFile from "read-excel-file/node";

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
/** A cell whose formula failed. */
const FAILED_CELL = / t="e"/g;

/** A larger one is a bomb, which the library meets in memory that is bounded. */
const MOST_UNPACKED_BYTES = 300_000_000;

/** Makes texts of cells whose formula failed: the library takes them for empty ones, which would delete a value. */
function keepErrors(workbook: Uint8Array): Uint8Array {
  if (countUnpacked(workbook) > MOST_UNPACKED_BYTES) return workbook;
  const files = unzipSync(workbook);
  const hasFailed = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
    Buffer.from(buffer, byteOffset, length).includes(' t="e"');
  const failed = Object.entries(files).filter(([name, xml]) => SHEET.test(name) && hasFailed(xml));
  if (failed.length === 0) return workbook;
  for (const [name, xml] of failed) files[name] = strToU8(strFromU8(xml).replace(FAILED_CELL, ' t="str"'));
  return zipSync(files, { level: 0 });
}

/** Counts the bytes that a workbook says it has. fflate unpacks no more. */
function countUnpacked(workbook: Uint8Array): number {
  let unpacked = 0;
  unzipSync(workbook, {
    filter: ({ originalSize }) => {
      unpacked += originalSize;
      return false;
    },
  });
  return unpacked;
}

/** Posts the sheets of a workbook, or why it cannot be read. */
const { bytes } = workerData as { bytes: ArrayBuffer };
try {
  parentPort?.postMessage(await readExcelFile(Buffer.from(keepErrors(new Uint8Array(bytes)))));
} catch (error) {
  parentPort?.postMessage(error instanceof Error ? error.message : String(error));
}
