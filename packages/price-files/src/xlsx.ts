import { arrayBuffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { createRemark, refuseFile } from "./remarks.ts";
import { settleAmounts } from "./amounts.ts";
import type { Columns, Fields, FileForm, FileRow, RawRow } from "./columns.ts";
import { settleTable } from "./header.ts";

/** Of a file, which is in memory as a whole; a sheet of 200,000 rows has a fifth. */
export const MOST_XLSX_BYTES = 50_000_000;
/** Of the process's thread that unpacks it: what is larger is a bomb, or must be sent as CSV. */
const MOST_MEMORY_MB = 512;
/** Rows at once. */
const BATCH = 500;
const SAMPLE_ROWS = 1_000;

type Cell = string | number | boolean | Date | null;

interface Sheet {
  sheet: string;
  sheets: string[];
  data: Cell[][];
}

/** Reads a sheet of an Excel workbook. @throws FileRefusal if it is none, or has no such sheet */
export async function* readXlsxRows(
  file: AsyncIterable<Uint8Array | string>,
  knownColumns: Columns,
  form: FileForm,
): AsyncGenerator<FileRow[]> {
  const { sheet, sheets, data } = await readSheet(await arrayBuffer(file), form.choice.sheet);
  const rows = data.map((cells, index): RawRow & { numbers: boolean[] } => ({
    line: index + 1,
    cells: cells.map(toText),
    numbers: cells.map((cell) => typeof cell === "number"),
  }));
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (filled.length === 0) throw refuseFile("VALIDATION_FAILED", createRemark("sheet_empty", { sheet }));
  const table = settleTable(filled, knownColumns, form, { sheet, sheets });
  const listed = filled.slice(table.from);
  const toRow = ({ line, cells, numbers }: (typeof rows)[number]): FileRow => {
    const fields: Fields = {};
    for (const [index, column] of table.columns.entries())
      if (column !== undefined) {
        const text = cells[index] ?? "";
        // A formula's price has more decimals than the sheet shows.
        const isRounded = numbers[index] === true && knownColumns[column]?.json === "amount" && /\.\d{3}/.test(text);
        fields[column] = isRounded ? Number(text).toFixed(2) : text;
      }
    return { line, fields };
  };
  for (const [index, column] of table.columns.entries())
    if (column !== undefined && knownColumns[column]?.json === "amount")
      if (listed.slice(0, SAMPLE_ROWS).some(({ numbers }) => numbers[index])) form.decimalSigns[column] = ".";
  settleAmounts(listed.slice(0, SAMPLE_ROWS).map(toRow), knownColumns, form, undefined);
  for (let start = 0; start < listed.length; start += BATCH) yield listed.slice(start, start + BATCH).map(toRow);
}

/** Whole numbers as they are, others without the rest of binary fractions. */
function toText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(15)));
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();
}

/** Unpacks in a thread of its own, whose memory is bounded and which does not hold up others. */
async function readSheet(bytes: ArrayBuffer, sheetName: string | undefined): Promise<Sheet> {
  const worker = new Worker(new URL("./xlsx-worker.ts", import.meta.url), {
    workerData: { bytes },
    transferList: [bytes],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  try {
    const sheets = await new Promise<{ sheet: string; data: Cell[][] }[] | string>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    if (typeof sheets === "string")
      throw refuseFile("VALIDATION_FAILED", createRemark("not_workbook", { problem: sheets }));
    const names = sheets.map(({ sheet }) => sheet);
    const chosen =
      sheetName === undefined
        ? sheets[0]
        : (sheets.find(({ sheet }) => sheet === sheetName) ??
          (/^\d+$/.test(sheetName) ? sheets[Number(sheetName) - 1] : undefined));
    if (!chosen) {
      const remark = createRemark("no_sheet", { sheet: sheetName ?? "1", names: names.join(", ") });
      throw refuseFile("VALIDATION_FAILED", remark, "sheet");
    }
    return { ...chosen, sheets: names };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
      throw refuseFile("PAYLOAD_TOO_LARGE", createRemark("workbook_too_large"));
    throw error;
  } finally {
    await worker.terminate();
  }
}
