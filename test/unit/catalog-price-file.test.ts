import { parse } from "csv-parse/sync";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "@jest/globals";
import { readCharset, readLines } from "../../packages/price-files/src/lines.ts";
import { type FileRow, createFileForm, listColumnNotes } from "../../packages/price-files/src/columns.ts";
import { readCsvRows, splitPlainRecord } from "../../packages/price-files/src/csv.ts";
import { readNdjsonRows } from "../../packages/price-files/src/ndjson.ts";
import { PART_COLUMNS, readPartRow } from "../../services/catalog/part-row.ts";
import { Remark } from "../../packages/price-files/src/remarks.ts";
import { createRemark } from "../../services/catalog/remarks.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

const BNS = DEFAULT_VENDORS.getByCode("BNS");

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function rowsOf(
  file: string | Uint8Array,
  { size = 7, format = readCsvRows, charset = "utf-8", form = createFileForm() } = {},
): Promise<FileRow[]> {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  const rows: FileRow[] = [];
  for await (const some of format(readLines(inChunks(bytes, size), charset), PART_COLUMNS, form)) rows.push(...some);
  return rows;
}

const componentVendor = (name: string | undefined) => (name === undefined ? BNS : DEFAULT_VENDORS.find(name))?.code;
const fields = (rows: FileRow[]) => rows.map((row) => ("fields" in row ? row.fields : row.refusal.text));
const lines = (rows: FileRow[]) => rows.map(({ line }) => line);

describe("a CSV price file", () => {
  it("has a record that is split without csv-parse as csv-parse splits it", () => {
    const piece = fc.constantFrom('"', '""', ",", ";", '",', ',"', '","', " ", "a", "é", "\n", "\r", "\u00a0", "\\");
    const usual = { record_delimiter: "\n", relax_column_count: true, trim: true };
    const record = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(record, fc.constantFrom(",", ";"), fc.boolean(), (text, delimiter, relax_quotes) => {
        const plain = splitPlainRecord(text, delimiter);
        if (plain) expect([plain]).toEqual(parse(text, { ...usual, delimiter, relax_quotes }).slice(0, 1));
      }),
      { numRuns: 2_000 },
    );
    const cells = ["BNS", 'Blade, 21" high lift', "", "12,50"];
    expect(splitPlainRecord('BNS,"Blade, 21"" high lift",,"12,50"', ",")).toEqual(cells);
  });

  it("is read with a byte order mark, CR LF, quotes, blank lines and columns in any order and case", async () => {
    const rows = await rowsOf(
      '\uFEFFTITLE,Part Number,note,List-Price\r\n"Blade, 21"" high lift",799868,x,12.50\r\n\r\n"two\r\nlines",799869,y,\r\n',
    );
    expect(fields(rows)).toEqual([
      { title: 'Blade, 21" high lift', part_number: "799868", list_price: "12.50" },
      { title: "two\nlines", part_number: "799869", list_price: "" },
    ]);
    expect(lines(rows)).toEqual([2, 4]);
  });

  it.each(["\n", "\r\n", "\r"])("ends its lines with %j", async (end) => {
    const rows = await rowsOf(["part_number,title", "1,a", "2,b"].join(end));
    expect(lines(rows)).toEqual([2, 3]);
  });

  it.each([";", "\t"])("is cut at %j when its header is", async (delimiter) => {
    const rows = await rowsOf(`part_number${delimiter}title\n1${delimiter}a, b\n`);
    expect(fields(rows)).toEqual([{ part_number: "1", title: "a, b" }]);
  });

  it.each([",", ";", "\t"])("skips rows of %j alone, and is cut at it by a first line of its own", async (sign) => {
    const cells = ["part_number,title,list_price", "1,a,2.50", ",,", ", ,", "2,b,"].join("\r\n");
    const rows = await rowsOf(`sep=${sign}\r\n${cells.replaceAll(",", sign)}\r\n`);
    expect(rows).toEqual([
      { line: 3, fields: { part_number: "1", title: "a", list_price: "2.50" } },
      { line: 6, fields: { part_number: "2", title: "b", list_price: "" } },
    ]);
  });

  it("refuses a ragged row by its line and the column, and reads on", async () => {
    const rows = await rowsOf("part_number,title,list_price\n1,a\n2,b,3,4\n3,c,1\n");
    expect(rows).toEqual([
      {
        line: 2,
        refusal: expect.objectContaining({ text: "The row ends before 'list_price': it has 2 of 3 columns" }),
      },
      { line: 3, refusal: createRemark("row_long", { column: "list_price", count: 4, columns: 3 }) },
      { line: 4, fields: { part_number: "3", title: "c", list_price: "1" } },
    ]);
  });

  it("is not read again for each line after an unclosed quote", async () => {
    const quoted = `${'b""c'.repeat(15_000)}\n`;
    const before = process.threadCpuUsage();
    const rows = await rowsOf(`part_number,title\n1,"x\n${quoted.repeat(29)}2,b\n`, { size: 65_536 });
    const { user, system } = process.threadCpuUsage(before);
    expect(fields(rows).at(-1)).toEqual({ part_number: "2", title: "b" });
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  it("keeps inch marks", async () => {
    const rows = await rowsOf('part_number,title\n1,21" blade\n2,"plain"\n3,"4" pulley"\n');
    expect(fields(rows)).toEqual([
      { part_number: "1", title: '21" blade' },
      { part_number: "2", title: "plain" },
      "A quotation mark closes before the value ends",
    ]);
  });

  it.each([
    ["in the middle", 'part_number,title\n1,"never closed\n2,b\n3,c\n', [2]],
    ["before quoted rows", 'part_number,title\n1,"never closed\n2,"b"\n3,"c, d"\n', [2]],
    ["at the end", 'part_number,title\n2,b\n3,c\n1,"never closed', [4]],
    ["twice", 'part_number,title\n1,"never\n2,b\n3,"closed\n4,d\n', [2, 4]],
  ])("loses only the row of a quote that is not closed: %s", async (_, file, refused) => {
    const rows = await rowsOf(file);
    expect(rows.filter((row) => "refusal" in row).map(({ line }) => line)).toEqual(refused);
    const total = file.split("\n").filter(Boolean).length - 1;
    expect(rows).toHaveLength(total);
  });

  it("refuses a line that is far too long without holding it", async () => {
    const rows = await rowsOf(`part_number,title\n1,${"x".repeat(1_000_000)}\n2,b\n`, { size: 65_536 });
    expect(rows).toEqual([
      { line: 2, refusal: createRemark("line_too_long") },
      { line: 3, fields: { part_number: "2", title: "b" } },
    ]);
  });

  it.each([
    ["", "The file is empty: its first line must name the columns"],
    ["\n\n", "The file is empty: its first line must name the columns"],
    ["title,price\n1,2\n", "The file has no column 'part_number'. Its columns, separated by ',', are 'title', 'price'"],
    ["part_number;barcode\n1;2\n", "no column 'title'. Its columns, separated by ';', are 'part_number', 'barcode'"],
    ["part_number,title,Title\n1,2,3\n", "The file has the column 'title' twice"],
  ])("cannot be used with the header of %j", async (file, message) => {
    await expect(rowsOf(file)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining(message),
    });
  });

  it("reads what any writer wrote, however it is cut into chunks", async () => {
    const cell = fc
      .string({ unit: fc.constantFrom("a", "B", "7", ",", '"', " ", ";", "é", "\n") })
      .map((text) => text.trim());
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const tables = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(tables, fc.integer({ min: 1, max: 40 }), async (table, size) => {
        const file = ["part_number,title", ...table.map((row) => row.map(quote).join())].join("\n");
        const read = table.map(([part_number, title]) => ({ part_number, title }));
        expect(fields(await rowsOf(`${file}\n`, { size }))).toEqual(read);
      }),
      { numRuns: 200 },
    );
  });

  it("never stops at bytes of any kind", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (noise) => {
        const file = Buffer.concat([Buffer.from("part_number,title\n"), noise, Buffer.from("\n9,last\n")]);
        for (const row of await rowsOf(file)) expect(row.line).toBeGreaterThan(1);
      }),
    );
  });
});

describe("the columns of a price file", () => {
  const columnsOf = async (header: string) => {
    const form = createFileForm();
    const [first] = fields(await rowsOf(`${header}\n1,2,3,4\n`, { form }));
    return { first, notes: listColumnNotes(PART_COLUMNS, form).map(({ text }) => text) };
  };

  it("are taken by a near name that no other column could have, and the report says so", async () => {
    expect(await columnsOf("Part-No.,TITLE,price,shade")).toEqual({
      first: { part_number: "1", title: "2", list_price: "3" },
      notes: [
        "The file names no currency: its prices are taken for USD. Send rate= if they are in another",
        "The column 'Part-No.' was read as 'part_number'",
        "The column 'price' was read as 'list_price'",
        expect.stringMatching(/^Unknown columns were ignored: 'shade'. The known columns are 'part_number', 'title', /),
      ],
    });
  });

  it.each([
    ["part_number,title,price,List Price"],
    ["part_number,title,price,msrp"],
    ["part_number,title,Prezzo,Prezzo al pubblico"],
    ["part_number,title,Prix d'achat,Prix public"],
    ["part_number,title,Ihr Preis,UVP"],
  ])("are read by the name that says most in %j, the price beside it as the cost", async (header) => {
    const { first } = await columnsOf(header);
    expect(first).toEqual({ part_number: "1", title: "2", cost: "3", list_price: "4" });
  });

  it("are noted of NDJSON by its keys, and nothing is noted if all are known", async () => {
    const form = createFileForm();
    await rowsOf('{"part_number":"1","title":"a","price":1.5}\n{"part_number":"2","title":"a","shade":"7"}\n', {
      format: readNdjsonRows,
      form,
    });
    expect(listColumnNotes(PART_COLUMNS, form)).toEqual([
      createRemark("column_renamed", { name: "price", column: "list_price" }),
      expect.objectContaining({ text: expect.stringContaining("ignored: 'shade'") }),
    ]);
    expect((await columnsOf("part_number,title,list_price,status")).notes).toEqual([]);
  });
});

describe("prices with commas", () => {
  const pricesOf = async (file: string, format = readCsvRows) => {
    const form = createFileForm();
    const rows = await rowsOf(file, { form, format });
    return rows.map((row) => {
      const news = "fields" in row ? readPartRow(row.fields, componentVendor, form) : row.refusal;
      return news instanceof Remark ? /list_price' (must|could)/.exec(news.text)?.[1] : news.price;
    });
  };
  const column = (separator: string, prices: string[]) =>
    ["part_number,title,list_price", ...prices.map((price, at) => `${at},a,${price}`)]
      .join("\n")
      .replaceAll(/,(?=a,|title|list)|(?<=a),/g, separator);

  it.each([";", "\t"])("are decimals or thousands as the column of a file with %j shows", async (sign) => {
    const german = await pricesOf(column(sign, ["0,125", "12,50", "1.234,56", "1,250", "0,99", "7"]));
    expect(german).toEqual(["must", 1_250, 123_456, "must", 99, 700]);
    expect(await pricesOf(column(sign, ["1,250", "12.50", "$1,234.56"]))).toEqual([125_000, 1_250, 123_456]);
  });

  it("are refused if nothing shows which they are, or both are shown", async () => {
    expect(await pricesOf(column(";", ["1,250", "1.250", "1250"]))).toEqual(["could", "could", 125_000]);
    expect(await pricesOf(column(";", ["1,250", "12,50", "12.50"]))).toEqual(["could", 1_250, 1_250]);
  });

  it("are thousands where commas separate and in NDJSON, and a group never begins with 0", async () => {
    const prices = ["1,250", "1,234.50", "0,125", "012,345", "12,34", "1,23,456.00"];
    const cents = [125_000, 123_450, "must", "must", "must", "must"];
    const quoted = prices.map((price) => `"${price}"`);
    expect(await pricesOf(column(",", quoted))).toEqual(cents);
    const rows = prices.map((price, at) => `{"part_number":"${at}","title":"a","list_price":"${price}"}`);
    expect(await pricesOf(rows.join("\n"), readNdjsonRows)).toEqual(cents);
  });

  it("never become another price, with either sign in the file", async () => {
    const written = fc.tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.constantFrom("", "$", "$ "));
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 20 }), fc.boolean(), async (amounts, isGerman) => {
        const texts = amounts.map(([cents, dollar]) => {
          const text = (cents / 100).toLocaleString(isGerman ? "de" : "en", { minimumFractionDigits: 2 });
          return `${dollar}${text}`;
        });
        expect(await pricesOf(column(";", texts))).toEqual(amounts.map(([cents]) => cents));
      }),
      { numRuns: 50 },
    );
  });
});

describe("the encoding of a price file", () => {
  const FILE = "part_number,title\r\n7-1,Kühler – 12″ “heavy”\r\n7-2,Ölfilter €\r\n";
  const ROWS = [
    { part_number: "7-1", title: "Kühler – 12″ “heavy”" },
    { part_number: "7-2", title: "Ölfilter €" },
  ];
  const utf16le = (text: string) => Buffer.from(text, "utf16le");
  const utf16be = (text: string) => utf16le(text).swap16();
  const windows1252 = iconv.encode(FILE.replaceAll("″", '"'), "windows-1252");

  it.each([
    ["UTF-8", Buffer.from(FILE), "utf-8"],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${FILE}`), "utf-8"],
    ["UTF-16 LE by its mark", utf16le(`\uFEFF${FILE}`), "utf-8"],
    ["UTF-16 BE by its mark", utf16be(`\uFEFF${FILE}`), "utf-8"],
    ["UTF-16 LE by charset", utf16le(FILE), "utf-16le"],
    ["UTF-16 BE by charset", utf16be(FILE), "utf-16be"],
    ["UTF-8 by its mark, whatever the charset says", Buffer.from(`\uFEFF${FILE}`), "windows-1252"],
  ])("is %s", async (_, bytes, charset) => {
    for (const size of [1, 2, 3, 5, 1_000]) expect(fields(await rowsOf(bytes, { size, charset }))).toEqual(ROWS);
  });

  it("is Windows-1252 when the charset says so", async () => {
    for (const size of [1, 1_000]) {
      expect(fields(await rowsOf(windows1252, { size, charset: "windows-1252" }))).toEqual([
        { ...ROWS[0], title: 'Kühler – 12" “heavy”' },
        ROWS[1],
      ]);
    }
  });

  it("costs a row whose bytes are none of the one that was chosen, by line and column", async () => {
    const rows = await rowsOf(Buffer.concat([windows1252, Buffer.from("7-3,plain\r\n")]));
    const reasons = rows.map((row) => ("fields" in row ? readPartRow(row.fields, componentVendor) : row.refusal));
    expect(lines(rows)).toEqual([2, 3, 4]);
    expect(reasons).toEqual([
      expect.objectContaining({ text: expect.stringMatching(/'title' is not valid in the file's encoding/) }),
      expect.objectContaining({ code: "wrong_encoding", values: { column: "title" } }),
      { partNumber: "7-3", title: "plain" },
    ]);
    await expect(rowsOf(utf16le(FILE))).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      message: expect.stringContaining("UTF-16 file needs a byte order mark"),
    });
  });

  it("is read of the Content-Type", () => {
    const named = ["charset=UTF-8", 'charset="Windows-1252"', "charset=latin1", "header=present; charset=utf-16"];
    const read = named.map((parameters) => readCharset(`text/csv; ${parameters}`));
    expect(read).toEqual(["utf-8", "windows-1252", "windows-1252", "utf-16le"]);
    expect(readCharset("text/csv")).toBeUndefined();
    expect(() => readCharset("text/csv; charset=ebcdic")).toThrow("The charset 'ebcdic' is not known");
  });

  it("reads any text in any of them, however it is cut into chunks", async () => {
    const title = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\s",\u0000-\u001f\u007f\ufeff\ufffd]/gu, "x"));
    const encodings = fc.constantFrom(
      ["utf-8", (text: string) => Buffer.from(text)] as const,
      ["utf-16le", utf16le] as const,
      ["utf-16be", utf16be] as const,
    );
    const lists = fc.array(title, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lists, encodings, fc.integer({ min: 1, max: 9 }), async (titles, [charset, encode], size) => {
        const file = encode(`part_number,title\n${titles.map((text, index) => `${index},${text}`).join("\n")}\n`);
        const read = titles.map((text, index) => ({ part_number: String(index), title: text }));
        expect(fields(await rowsOf(file, { size, charset }))).toEqual(read);
      }),
    );
  });
});

describe("an NDJSON price file", () => {
  it("has the same columns by name and refuses what is no object", async () => {
    const file =
      '{"Part_Number":"1","title":"a","list_price":12.5,"status":null}\nnot json\n[1]\n\n{"part_number":{}}\n{"part_number":2,"title":"b"}\n';
    expect(await rowsOf(file, { format: readNdjsonRows })).toEqual([
      { line: 1, fields: { part_number: "1", title: "a", list_price: "12.5", status: "" } },
      { line: 2, refusal: createRemark("line_not_object") },
      { line: 3, refusal: createRemark("line_not_object") },
      { line: 5, refusal: createRemark("not_text").locate("part_number") },
      { line: 6, fields: { part_number: "2", title: "b" } },
    ]);
  });

  it("takes a number for a part number only where it is written as the whole number that it is", async () => {
    const numbers = ["10.0020", "10.0000", "1e3", "12345678901234567890", "-5", "1000"];
    const file = numbers
      .map((number) => `{"part_number":${number},"title":"a","list_price":${number},"more":{"part_number":1}}`)
      .join("\n");
    const refused = { refusal: createRemark("number_loses_digits").locate("part_number") };
    expect(await rowsOf(file, { format: readNdjsonRows })).toEqual([
      ...[1, 2, 3, 4].map((line) => ({ line, ...refused })),
      { line: 5, fields: { part_number: "-5", title: "a", list_price: "-5" } },
      { line: 6, fields: { part_number: "1000", title: "a", list_price: "1000" } },
    ]);
    expect(
      await rowsOf('{"part_number":"10.0020","title":"a","superseded_by":10.0030}', { format: readNdjsonRows }),
    ).toMatchObject([{ refusal: { values: { column: "superseded_by" } } }]);
  });
});

describe("true and false in NDJSON", () => {
  it("stand for yes and no in the columns that take them, and nowhere else", async () => {
    const rows = await rowsOf(
      '{"part_number":"1","title":"a","hazmat":true,"oversize":false}\n{"part_number":"2","title":true}\n',
      { format: readNdjsonRows },
    );
    expect(fields(rows)).toEqual([
      { part_number: "1", title: "a", hazmat: "true", oversize: "false" },
      "The column 'title' must be text",
    ]);
  });
});

describe("a row", () => {
  const form = { ...createFileForm(), decimalSigns: { list_price: "." } as const };
  const read = (more: Record<string, string>) =>
    readPartRow({ part_number: "799868", title: "Carburetor", ...more }, componentVendor, form);

  it("becomes what the catalog keeps", () => {
    const written = {
      ...{ list_price: "$1,234.50", currency: "usd", status: "Discontinued", superseded_by: "799-869" },
      ...{ image_url: "https://x.test/a.png", category: "Tires", weight: "2.5 LB", hazmat: "Yes", oversize: "no" },
    };
    expect(read(written)).toEqual({
      ...{ partNumber: "799868", title: "Carburetor", category: "Wheels & Tires", kind: "Tires", price: 123_450 },
      ...{ imageUrls: ["https://x.test/a.png"], status: "discontinued", supersededBy: "799-869" },
      ...{ weightGrams: 1_133, hazmat: true, oversize: false },
    });
  });

  it.each([
    ["https://cdn.example/Größe.jpg", "https://cdn.example/Gr%C3%B6%C3%9Fe.jpg"],
    ["HTTPS://Größe.example/a", "https://xn--gre-6ka8i.example/a"],
    ["https://x.test/a%20b?c=d|e#ü", "https://x.test/a%20b?c=d|e#%C3%BC"],
    ["https://x.test", "https://x.test/"],
  ])("has the picture %j at %j, as a cart takes it", (typed, kept) => {
    expect(read({ image_url: typed })).toMatchObject({ imageUrls: [kept] });
    expect(kept).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
  });

  it("changes nothing for a column that it does not have, and removes the value for an empty one", () => {
    expect(read({})).toEqual({ partNumber: "799868", title: "Carburetor" });
    const columns = ["description", "list_price", "currency", "status", "image_url", "superseded_by", "weight"];
    const empty = Object.fromEntries([...columns, "hazmat", "oversize"].map((column) => [column, ""]));
    expect(read({ ...empty, category: " " })).toEqual({
      ...{ partNumber: "799868", title: "Carburetor", description: null, category: "parts", price: null },
      ...{ status: "active", imageUrls: [], supersededBy: null, weightGrams: null, hazmat: false, oversize: false },
    });
  });

  it.each([
    [{ part_number: "" }, "part_number"],
    [{ part_number: "--" }, "part_number"],
    [{ part_number: "x".repeat(101) }, "part_number"],
    [{ title: "  " }, "title"],
    [{ title: "Pi\uFFFDce" }, "title"],
    [{ title: "a\u0000b" }, "title"],
    [{ title: "x\ud800" }, "title"],
    [{ description: "\udc00x" }, "description"],
    [{ description: "x".repeat(5_001) }, "description"],
    [{ list_price: "free" }, "list_price"],
    [{ list_price: "-1" }, "list_price"],
    [{ list_price: "1.005" }, "list_price"],
    [{ list_price: "1.234,50" }, "list_price"],
    [{ list_price: "0,125" }, "list_price"],
    [{ list_price: "1e3" }, "list_price"],
    [{ list_price: "1000000" }, "list_price"],
    [{ currency: "EUR" }, "currency"],
    [{ status: "gone" }, "status"],
    [{ image_url: "javascript:alert(1)" }, "image_url"],
    [{ image_url: "picture.png" }, "image_url"],
    [{ image_url: `https://x.test/${"ü".repeat(400)}` }, "image_url"],
    [{ superseded_by: "79 98-68" }, "superseded_by"],
    [{ hazmat: "maybe" }, "hazmat"],
    [{ oversize: "2" }, "oversize"],
  ])("is refused for %j", (more, column) => {
    expect(read(more)).toMatchObject({ values: { column }, text: expect.stringContaining(`'${column}'`) });
  });

  it("keeps every price to the cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (cents) => {
        expect(read({ list_price: (cents / 100).toFixed(2) })).toMatchObject({ price: cents });
      }),
    );
  });
});
