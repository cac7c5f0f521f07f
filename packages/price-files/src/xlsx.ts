import { arrayBuffer } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { createRemark, refuseFile } from "./remarks.ts";
import { settleAmounts } from "./amounts.ts";
import type { Columns, Fields, FileForm, FileRow, RawRow } from "./columns.ts";
import { findListForm, settleTable } from "./header.ts";

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
  data: Cell[][];
}

/**
 * Reads a sheet of an Excel workbook: the one that is named, else the first that is a list, by its header before
 * others. @throws FileRefusal if it is none, or has no such sheet
 */
export async function* readXlsxRows(
  file: AsyncIterable<Uint8Array | string>,
  knownColumns: Columns,
  form: FileForm,
): AsyncGenerator<FileRow[]> {
  const workbook = await readSheets(await arrayBuffer(file));
  const sheets = workbook.map(({ sheet }) => sheet);
  const { sheet, data } = chooseSheet(workbook, knownColumns, form);
  const filled = readFilledRows(data);
  if (filled.length === 0) throw refuseFile("VALIDATION_FAILED", createRemark("sheet_empty", { sheet }));
  const table = settleTable(filled, knownColumns, form, { sheet, sheets });
  const listed = filled.slice(table.from);
  const toRow = ({ line, cells, numbers }: SheetRow): FileRow => {
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

interface SheetRow extends RawRow {
  /** Whether each cell is a number. */
  numbers: boolean[];
}

function readFilledRows(data: readonly Cell[][]): SheetRow[] {
  const rows = data.map((cells, index) => ({
    line: index + 1,
    cells: cells.map(toText),
    numbers: cells.map((cell) => typeof cell === "number"),
  }));
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
}

/** @throws FileRefusal if there is no sheet of that name */
function chooseSheet(workbook: readonly Sheet[], knownColumns: Columns, form: FileForm): Sheet {
  const { sheet: name } = form.choice;
  const isNamed = (sheet: Sheet, index: number): boolean => sheet.sheet === name || String(index + 1) === name;
  const findList = (listForm: ReturnType<typeof findListForm>): Sheet | undefined =>
    workbook.find(
      ({ data }) => findListForm(readFilledRows(data.slice(0, SAMPLE_ROWS)), knownColumns, form) === listForm,
    );
  const chosen = name === undefined ? (findList("header") ?? findList("cells") ?? workbook[0]) : workbook.find(isNamed);
  if (chosen) return chosen;
  const names = workbook.map(({ sheet }) => sheet).join(", ");
  throw refuseFile("VALIDATION_FAILED", createRemark("no_sheet", { sheet: name ?? "1", names }), "sheet");
}

/** Whole numbers as they are, others without the rest of binary fractions. */
function toText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(Number.isInteger(cell) ? cell : Number(cell.toPrecision(15)));
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();
}

/** Unpacks in a thread of its own, whose memory is bounded and which does not hold up others. */
async function readSheets(bytes: ArrayBuffer): Promise<Sheet[]> {
  const worker = new Worker(new URL("./xlsx-worker.ts", import.meta.url), {
    workerData: { bytes },
    transferList: [bytes],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  try {
    const sheets = await new Promise<Sheet[] | string>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    if (typeof sheets === "string")
      throw refuseFile("VALIDATION_FAILED", createRemark("not_workbook", { problem: sheets }));
    return sheets;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
      throw refuseFile("PAYLOAD_TOO_LARGE", createRemark("workbook_too_large"));
    throw error;
  } finally {
    await worker.terminate();
  }
}
