import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import iconv from "iconv-lite";
import { rankHeader } from "../../packages/price-files/index.ts";
import { importFile } from "../../services/catalog/import-file.ts";
import { createBrandVendors } from "../../services/catalog/brand-vendors.ts";
import type { FileChoice } from "../../packages/price-files/src/columns.ts";
import { findDecimalSign, readAmount } from "../../packages/price-files/src/decimal-sign.ts";
import { createPriceFile } from "../../services/catalog/part-row.ts";
import type { PartNews } from "../../services/catalog/part-content.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";
import { makeWorkbook } from "../support/workbook.ts";

const GRP = DEFAULT_VENDORS.getByCode("GRP");

/** What becomes of a list: its report, and its parts. */
async function readList(
  file: string | Buffer,
  { choice, format = "csv" }: { choice?: FileChoice; format?: "csv" | "xlsx" } = {},
) {
  const parts: PartNews[] = [];
  const write = async (_vendor: unknown, news: PartNews[]) => {
    parts.push(...news);
    return { written: news.length, unchanged: 0 };
  };
  async function* send(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(file);
  }
  const report = await importFile(
    createPriceFile({ write }, GRP, { choice, brands: createBrandVendors(DEFAULT_VENDORS, { isAdding: false }) }),
    format,
    send(),
  );
  const columns = Object.fromEntries(
    report.layout?.columns.flatMap(({ column, name, position }) => (column ? [[column, name || position]] : [])) ?? [],
  );
  return { report, parts, columns, layout: report.layout };
}

const GERMAN = [
  "Teile-Nr.;Bezeichnung;EK netto;UVP brutto;Bestand;Gewicht (kg);Fabrikat;Lagerort",
  "AB-1;Ölfilter groß;900,00;1.234,50;1.200;1,5;Muster;A1",
  "AB-2;Zündkerze;2,00;4,95;0;0,05;Muster;A2",
  "AB-3;Kühlerschlauch;7,00;12,00;-1;;Muster;A3",
].join("\r\n");

describe("a dealer's price list", () => {
  it("is read by the words of its header, the price for customers and the cost beside it", async () => {
    const { parts, columns, layout, report } = await readList(GERMAN);
    expect(columns).toEqual({
      ...{ part_number: "Teile-Nr.", title: "Bezeichnung", list_price: "UVP brutto", cost: "EK netto" },
      ...{ stock: "Bestand", weight: "Gewicht (kg)", brand: "Fabrikat" },
    });
    expect(layout).toMatchObject({ delimiter: ";", decimalSign: ",", headerLine: 1, currency: null });
    const unused = layout?.columns.flatMap(({ name, examples }) => (examples ? [[name, ...examples]] : []));
    expect(unused).toEqual([["Lagerort", "A1", "A2", "A3"]]);
    const first = { price: 123_450, cost: 90_000, quantityOnHand: 1_200, weightGrams: 1_500 };
    expect(parts).toEqual([
      { partNumber: "AB-1", title: "Ölfilter groß", ...first },
      { partNumber: "AB-2", title: "Zündkerze", price: 495, cost: 200, quantityOnHand: 0, weightGrams: 50 },
      { partNumber: "AB-3", title: "Kühlerschlauch", price: 1_200, cost: 700, quantityOnHand: 0, weightGrams: null },
    ]);
    expect(report.remarks).toContainEqual({ code: "columns_unused", values: { names: "brand" } });
    const ignored = { code: "columns_ignored", values: expect.objectContaining({ names: "'Lagerort'" }) };
    expect(report.remarks).toContainEqual(ignored);
    expect(layout?.samples.map(({ values }) => values.list_price)).toEqual(["1234.50", "4.95", "12.00"]);
  });

  it.each([
    ["utf-8", GERMAN],
    ["windows-1252", GERMAN],
    ["windows-1252", "Codice;Titolo;Prezzo\nAB-1;It´s a filter;5,00\nAB-2;Candela;6,00\n"],
    ["cp850", GERMAN],
    ["utf-16le", GERMAN],
    ["windows-1251", "Артикул;Наименование;Цена\nAB-1;Фильтр масляный;5,00\nAB-2;Свеча зажигания;6,00\n"],
    ["cp866", "Артикул;Наименование;Цена\nAB-1;Фильтр масляный;5,00\nAB-2;Свеча зажигания;6,00\n"],
    ["windows-1250", "Numer;Nazwa części;Cena\nAB-1;Świeca żarowa źródło;5,00\nAB-2;Pasek zębaty łożysko;6,00\n"],
    ["shift_jis", "品番,品名,定価\nAB-1,オイルフィルター,500\nAB-2,点火プラグ,600\n"],
  ])("is read in %s, which nobody named", async (encoding, text) => {
    const { parts } = await readList(iconv.encode(text, encoding));
    const title = text.split(/\r?\n/)[1]!.split(/[;,]/)[1];
    expect(parts[0]).toMatchObject({ partNumber: "AB-1", title });
  });

  it("has rows above its header, columns without a name, and none behind the last", async () => {
    const { parts, layout } = await readList(
      "Acme Distributors,,,\nPrices from 1 May,,,\n\nItem #,Desc,List,\nA-1,Bolt,$1.50\nA-2,Nut,$2.50,\nA-3,Pin,$2.75,,\n",
    );
    expect(layout?.headerLine).toBe(4);
    expect(parts.map(({ price }) => price)).toEqual([150, 250, 275]);
  });

  it("needs no header: its columns show by what they hold, and positions say otherwise", async () => {
    const discs = ["ACME;AB-77X;16400;3;Front brake disc", "ACME;CD-12;2900;14;Rear brake pads"];
    const rows = [...discs, "ACME;EF 5;120;0;Belt", "ZETA;GH-9;99;1;Hose"];
    const inferred = await readList(rows.join("\n"));
    expect(inferred.columns).toEqual({ part_number: 2, list_price: 3, stock: 4, title: 5, brand: 1 });
    expect(inferred.report.remarks?.[0]?.code).toBe("no_header");
    const chosen = await readList(rows.join("\n"), { choice: { mapping: { list_price: null, stock: 3 } } });
    expect(chosen.parts[0]).toEqual({ partNumber: "AB-77X", title: "Front brake disc", quantityOnHand: 16_400 });
  });

  it("has its titles, numbers and prices where its rows have them, not where the header's words say", async () => {
    const file = [
      "Description;Part no.;Model;List A;Public list;Note",
      ";;Desk telephone, black;0;21,00;",
      "long text;;Ear cushions, large;0;44,50;",
      ";;Headset with stand;0;171,00;on sale",
    ].map((line, n) => `${n === 0 ? "Internal" : `T-10${n * n}`};${line}`);
    const { columns, parts } = await readList(file.join("\n"));
    expect(columns).toMatchObject({ part_number: "Internal", title: "Model", list_price: "Public list" });
    expect(parts[1]).toMatchObject({ partNumber: "T-104", title: "Ear cushions, large", price: 4_450 });
    const rows = ["AB-1", "AB-2", "AB-3"].map((number) => `${number},,Bolt ${number},1.50`);
    const { report } = await readList(["part_number,title,model,list_price", ...rows].join("\n"));
    expect(report.refusedTotal).toBe(3);
  });

  it("has neither names of others for titles nor flags for counts", async () => {
    const head = "SKU,Description,Category,Availability,PromoName,Supplier name,QtyNorth,QtySouth,MSRP";
    const rows = [1, 2, 3].map((n) => `T-10${n},Gutter kit ${n},Kits,T,,Main store,${n},0,${n}0.50`);
    const { parts } = await readList([head, ...rows].join("\n"));
    const second = { partNumber: "T-102", title: "Gutter kit 2", category: "Kits", price: 2_050, quantityOnHand: 2 };
    expect(parts[1]).toEqual(second);
    const constant = [1, 2, 3].map((n) => `R-1${n};Rodamiento ${n};RODAMIENTO;Almacén Central;${n},50`);
    const spanish = ["id_repuesto;repuesto_descripcion;categoria;proveedor_nombre;costo", ...constant].join("\n");
    expect((await readList(spanish)).parts[0]).toMatchObject({ title: "Rodamiento 1", price: 150 });
  });

  it("has sizes for titles if nothing else names its parts, and no other numbers", async () => {
    const list = (values: readonly string[]) =>
      ["KATEGORİ;ÜRÜN KODU;ÖLÇÜ;LİSTE FİYATI"]
        .concat(values.map((value, n) => `RADYATÖR;1500300${n}400;${value};1058,40`))
        .join("\n");
    const { parts } = await readList(list(["300X400", "300X500", "300 x 600"]));
    expect(parts.map(({ title }) => title)).toEqual(["300X400", "300X500", "300 x 600"]);
    const { columns } = await readList(list(["QX300400", "QX300500", "QX300600"]));
    expect(Object.keys(columns).sort()).toEqual(["list_price", "part_number"]);
  });

  it.each([
    ["without a word over its numbers", ";Désignation;Prix public H.T.", 1],
    ["with a maker's name over its numbers", "Acme;Product name;Price (USD)", 1],
    ["with unknown words", "AAA;BBB;CCC", 1],
    ["with a title that has words of a header", "Item numbers;Description of terms;\nOrder code;Text;Price/unit", 2],
  ])("is read by its numbers, %s", async (_, header, headerLine) => {
    const rows = ["31-409;Oil seal;12,50", "31-511;Front cover;5,00", "42-780;Gasket kit;7,25"];
    const { parts, layout } = await readList([header, ...rows].join("\n"));
    expect(layout).toMatchObject({ headerLine });
    expect(parts.map(({ partNumber, title, price }) => [partNumber, title, price])).toEqual([
      ["31-409", "Oil seal", 1_250],
      ["31-511", "Front cover", 500],
      ["42-780", "Gasket kit", 725],
    ]);
  });

  it("without a header of numbers does not take places or years for them", async () => {
    const rows = ["A-12-3;Oil seal;12,50", "B-15-1;Front cover;5,00", "C-10-4;Gasket kit;7,25"];
    await expect(readList(["Bin;Name;Price", ...rows].join("\n"))).rejects.toMatchObject({
      data: [{ field: "part_number" }],
    });
  });

  it("of machines and prices without numbers is refused: prices are no part numbers", async () => {
    const priced = ["KG-4;210000;235000", "KG-6;570000;620000", "KG-7;590000;640000"];
    const rows = [...priced, "Discs;;", "Harrows;;", "Ploughs;;"];
    await expect(readList(rows.map((row) => `Cultivator ${row}`).join("\n"))).rejects.toMatchObject({
      data: [{ field: "part_number" }],
    });
  });

  it("is read as programs export it: NULL is empty, and of records of many lines each has its own", async () => {
    const text = `"first\nsecond\nthird\nfourth\nfifth\nsixth"`;
    const rows = ["10,NULL,Auger motor", "11,HT65012,Heater", "12,KH67053,Igniter", "13,NULL,Fan"];
    const records = rows.map((row) => `${row},${text},1.50`);
    const { parts, columns } = await readList(["id,sku,name_it,description_it,price", ...records].join("\n"));
    expect(columns).toMatchObject({ part_number: "sku", title: "name_it", list_price: "price" });
    expect(parts.map(({ partNumber }) => partNumber)).toEqual(["HT65012", "KH67053"]);
  });

  it.each([
    ["num. kat.", "partNumber"],
    ["N° d'article", "partNumber"],
    ["P.V.P.", "price"],
    ["ÜRÜN KODU", "partNumber"],
    ["IDENTIFIANT", "partNumber"],
    ["Inventario", "stock"],
    ["Quantidade Mínima", undefined],
    ["Ceny netto ważne wyłącznie na rynku polskim (VAT +23%)", "price"],
    ["Público 800 Lista 1", "price"],
    ["Remplacée par", "replacement"],
    ["Zastąpione przez", "replacement"],
    ["Disponível", "stock"],
    ["DisponibilitaFutura", undefined],
  ])("%s heads what it says: %s", (header, role) => expect(rankHeader(header)?.role).toBe(role));

  it("leaves out a description that cannot be kept, and takes a price on request for none", async () => {
    const { parts, report } = await readList(
      `Artikelnummer;Name;Beschreibung;Preis\nAB-1;Öl;${"x".repeat(5_001)};auf Anfrage\nAB-2;Filter;fein;4,50\n`,
    );
    expect(parts).toEqual([
      { partNumber: "AB-1", title: "Öl", price: null },
      { partNumber: "AB-2", title: "Filter", description: "fein", price: 450 },
    ]);
    expect(report.remarks?.map(({ code }) => code)).toContain("values_unread");
  });

  it("is read as the mapping says, by header or position, and refused if that names none", async () => {
    const file = "A;B;C\nAB-1;Bolt;1,50\n";
    const mapping = { part_number: "a", title: 2, list_price: "C" };
    expect((await readList(file, { choice: { mapping } })).parts).toEqual([
      { partNumber: "AB-1", title: "Bolt", price: 150 },
    ]);
    await expect(readList(file, { choice: { mapping: { ...mapping, title: "D" } } })).rejects.toMatchObject({
      data: [{ field: "mapping", message: expect.stringContaining("'A', 'B', 'C'") }],
    });
    const kept = await readList(`${GERMAN}\n`, { choice: { keptMapping: { list_price: "EK netto", stock: null } } });
    expect(kept.parts[1]).toEqual({ partNumber: "AB-2", title: "Zündkerze", price: 200, weightGrams: 50 });
    const other = await readList("sku,name,price\nAB-1,Bolt,1.50\n", { choice: { keptMapping: mapping } });
    expect(other.columns).toEqual({ part_number: "sku", title: "name", list_price: "price" });
  });

  it("without part numbers is refused with its columns and their separator", async () => {
    const refusal = {
      ...{ field: "part_number", code: "no_column" },
      values: { column: "part_number", delimiter: ";", names: "'Farbe', 'Preis', 'Datum'" },
      layout: { columns: [{ name: "Farbe" }, { name: "Preis" }, { name: "Datum" }] },
    };
    const reading = readList("Farbe;Preis;Datum\nrot;1,50;heute\n");
    await expect(reading).rejects.toMatchObject({ code: "VALIDATION_FAILED", data: [refusal] });
  });
});

describe("a price list in another currency", () => {
  const file = (price: string) => `Part no.\tName\tPrice\nA-1\tBolt\t${price}\nA-2\tNut\t${price}\n`;

  it.each([
    ["5,10 €", "EUR"],
    ["£86.17", "GBP"],
    ["12\u00A0900 тг", "KZT"],
    [" R1 015.43 ", "ZAR"],
    ["¥1,200", "JPY"],
    ["16 400 грн", "UAH"],
  ])("as %j is refused once, naming it: %s", async (price, currency) => {
    await expect(readList(file(price))).rejects.toMatchObject({
      data: [{ field: "currency", code: "currency_foreign", values: { currency, shop: "USD" } }],
    });
    expect((await readList(file(price), { choice: { currency } })).report.refusedTotal).toBe(0);
  });

  it("is converted, rounded to cents, or counts as the shop's", async () => {
    const prices = async (choice: FileChoice) =>
      (await readList(file("¥1,205"), { choice })).parts.map(({ price }) => price);
    expect(await prices({ rate: 0.0067 })).toEqual([807, 807]);
    expect(await prices({ currency: "JPY" })).toEqual([120_500, 120_500]);
    await expect(prices({ currency: "EUR" })).rejects.toMatchObject({ data: [{ code: "currency_foreign" }] });
  });

  it.each([
    ["$ 12.500", "COP", 1_250_000],
    ["12,50 $", "CAD", 1_250],
    ["$1.234,-", "ARS", 123_400],
  ])("as %j is no US dollars' for sure: it is asked for once", async (price, currency, cents) => {
    await expect(readList(file(price))).rejects.toMatchObject({
      data: [{ field: "currency", code: "dollar_unclear", values: { value: price } }],
    });
    const { parts } = await readList(file(price), { choice: { currency } });
    expect(parts.map((part) => part.price)).toEqual([cents, cents]);
  });

  it("that it does not name counts as the shop's, which the report says; one above all payments is reported", async () => {
    const { report } = await readList(file("1200000.50"));
    expect(report.remarks).toContainEqual({ code: "currency_assumed", values: { shop: "USD" } });
    expect(report.refused.map(({ code }) => code)).toEqual(["price_too_high", "price_too_high"]);
    const converted = await readList(file("1200000.50"), { choice: { rate: 0.01 } });
    expect(converted.parts.map(({ price }) => price)).toEqual([1_200_001, 1_200_001]);
    expect(converted.report.remarks?.map(({ code }) => code)).not.toContain("currency_assumed");
  });

  it("by the word of its header or a column of its own is found too", async () => {
    for (const [text, currency] of [
      ["Price (EUR)\nA-1;Bolt;5,10\n", "EUR"],
      ["Price;Currency\nA-1;Bolt;5,10;EUR\n", "EUR"],
      ["Fiyat TL (KDV dahil)\nA-1;Civata;5,10\n", "TRY"],
    ])
      await expect(readList(`Part no;Name;${text}`)).rejects.toMatchObject({ data: [{ values: { currency } }] });
    expect((await readList("Part no;Hose;Price per ft\nA-1;Fuel hose;5,10\n")).report.refusedTotal).toBe(0);
  });

  it("of one row alone costs that row, which is quoted", async () => {
    const { report } = await readList("Part no,Name,Price\nA-1,Bolt,1.00\nA-2,Nut,2.00\nA-3,Pin,€3.00\n");
    expect(report.refused).toEqual([
      expect.objectContaining({ line: 4, code: "price_currency", reason: expect.stringContaining('"€3.00"') }),
    ]);
  });
});

describe("the cells of a price list", () => {
  it("that are empty, zero, a dash, on request or a formula's error are no price; others that are none are quoted", async () => {
    const cells = ["", "0,00", "-", "auf Anfrage", "#VALUE!", "0,125", "1.23E+10", "ask us", "1.5.2"];
    const rows = cells.map((cell, index) => `N-${index};Bolt;${cell}`);
    const { parts, report } = await readList(["Nr. ;Name;Preis", ...rows, "N-9;Bolt;1,50"].join("\n"));
    expect(parts.map(({ price }) => price)).toEqual([null, null, null, null, undefined, 150]);
    expect(report.refused.map(({ values }) => values?.value)).toEqual(cells.slice(5));
  });

  it("may have the decimals of a formula, words around a number of pieces, or a stock in words", async () => {
    const stocks = ["2 шт.", ">10 pcs", "5+", "mehr als 1000 Stk", "7", "en_stock", "Auf Bestellung", "bald wieder"];
    const rows = stocks.map((stock, index) => `A-${index};Bolt;1.00;${stock};Acme`);
    const head = "Part no;Name;MRP;stock;marca_compatible";
    const { parts, report } = await readList([head, "A-9;Nut;161.51097011403027;;", ...rows].join("\n"));
    expect(parts[0]).toMatchObject({ price: 16_151 });
    expect(parts.slice(1).map(({ quantityOnHand, available }) => quantityOnHand ?? available)).toEqual([
      2,
      10,
      5,
      1_000,
      7,
      true,
      false,
      undefined,
    ]);
    expect(report.refused).toEqual([]);
    expect(report.layout?.columns.at(-1)).toMatchObject({ column: null });
  });

  it("may have marks of footnotes, and one decimal sign in the whole file", async () => {
    const head = "Codice;Titolo;Prezzo;Listino;Valuta;Peso;Disponibile";
    const rows = [
      "A-1;Bullone;9,50*;12,50**;USD**;0,08;sì",
      "A-2;Dado;1.000,-;1.234,-;USD;1,250;no",
      "A-3;Vite;1;2 1);;;5",
    ];
    const { parts } = await readList([head, ...rows].join("\n"));
    expect(parts).toMatchObject([
      { cost: 950, price: 1_250, weightGrams: 80, available: true },
      { cost: 100_000, price: 123_400, weightGrams: 1_250, available: false },
      { cost: 100, price: 200, weightGrams: null, quantityOnHand: 5 },
    ]);
  });

  it("say in words which part replaces theirs, in the title or a column of their own", async () => {
    const cells = ["zastąpiona przez 10.01.429", "od 04/2004", "zastąpiona przez 10.01.1 + 10.01.2", ""];
    const rows = cells.map((cell, n) => `N-10${n};Śruba M${n};${cell};1,50`);
    const { parts, columns, report } = await readList(["Indeks;Nazwa;Informacje;Cena", ...rows].join("\n"));
    expect(columns.superseded_by).toBe("Informacje");
    expect(parts.map(({ supersededBy }) => supersededBy)).toEqual(["10.01.429", undefined, undefined, undefined]);
    const unread = { column: "superseded_by", count: 1, value: cells[2] };
    expect(report.remarks).toContainEqual({ code: "values_unread", values: unread });
    const titles = [
      "Riemen, ersetzt durch Art.-Nr. 614 071",
      "Joint remplacé par A 169 320 09 89 (2020)",
      "Replaces N-2",
    ];
    const titled = ["Nr.;Name;Preis", ...titles.map((title, n) => `N-${n};${title};1,50`)].join("\n");
    const replacements = (await readList(titled)).parts.map(({ supersededBy }) => supersededBy);
    expect(replacements).toEqual(["614 071", "A 169 320 09 89", undefined]);
  });

  it("of a column that the file need not have are left out and counted", async () => {
    const { parts, report } = await readList("Part no,Name,On hand,Weight\nA-1,Bolt,2.5,0.5\nA-2,Nut,3,0 kg\n");
    expect(parts.map(({ quantityOnHand }) => quantityOnHand)).toEqual([undefined, 3]);
    for (const { weightGrams } of parts) expect(weightGrams).toBeUndefined();
    const unread = { code: "values_unread", values: { column: "stock", count: 1, value: "2.5" } };
    expect(report.remarks).toContainEqual(unread);
    const weights = { code: "values_unread", values: { column: "weight", count: 2, value: "0.5" } };
    expect(report.remarks).toContainEqual(weights);
  });
});

describe("a workbook", () => {
  const sheets = {
    About: [["Price list"]],
    Preise: [
      ["Preisliste"],
      [null],
      ["Art.-Nr.", "Bezeichnung", "VK", "Lager"],
      ["00123", "Bolzen", 1_000 / 3, 4],
      [12_345_678_901, "Mutter", 1_234.5, 2],
      ["AB-3", "Stift", "#VALUE!", null],
    ],
  };

  it("is read of the sheet that is named or, else, the first that is a list, numbers as a sheet shows them", async () => {
    for (const sheet of ["Preise", "2", undefined]) {
      const { parts, layout, report } = await readList(makeWorkbook(sheets), { format: "xlsx", choice: { sheet } });
      expect(layout).toMatchObject({ sheet: "Preise", sheets: ["About", "Preise"], headerLine: 3 });
      expect(parts).toEqual([
        { partNumber: "00123", title: "Bolzen", price: 33_333, quantityOnHand: 4 },
        { partNumber: "12345678901", title: "Mutter", price: 123_450, quantityOnHand: 2 },
        { partNumber: "AB-3", title: "Stift" },
      ]);
      // An empty cell would delete the price that the part has.
      const unread = { code: "values_unread", values: { column: "list_price", count: 1, value: "#VALUE!" } };
      expect(report.remarks).toContainEqual(unread);
      expect(report.remarks).toContainEqual({ code: "sheets_unread", values: { names: "'About'" } });
    }
  });

  it("has its list where a header is, not where codes and amounts are", async () => {
    const services = ["Amarok", "Polo", "Virtus"].map((car, n) => [`${car} service`, 224_280 + n, 3_887.6, 9_879.7]);
    const list = ["03L-115-562", "04E-115-561-T"].map((number, n) => ["Polo", number, "Filtro", 20 + n, 30.5 + n]);
    const book = { Services: services, List: [["Modelo", "Material", "Pieza", "Dealer Net $", "Public $"], ...list] };
    const { parts, layout } = await readList(makeWorkbook(book), { format: "xlsx" });
    expect(layout?.sheet).toBe("List");
    expect(parts[0]).toEqual({ partNumber: "03L-115-562", title: "Filtro", cost: 2_000, price: 3_050 });
  });

  it("that is none, or has no such sheet, is refused", async () => {
    const read = (file: string | Buffer, choice?: FileChoice) => readList(file, { format: "xlsx", choice });
    await expect(read("part_number,title\n1,a\n")).rejects.toMatchObject({ message: /not an Excel workbook/ });
    await expect(read(makeWorkbook(sheets), { sheet: "Prices" })).rejects.toMatchObject({
      data: [{ field: "sheet", message: expect.stringContaining("About, Preise") }],
    });
  });
});

describe("an amount", () => {
  const styles = fc.record({
    decimal: fc.constantFrom(".", ","),
    group: fc.constantFrom("", " ", "\u00A0", "\u202F", "'", "’", "sign"),
    places: fc.constantFrom(0, 2),
    before: fc.constantFrom("", "$", "€ ", "R", "CHF "),
  });

  it("is read as it was written, by the sign of its column", () => {
    const column = fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(column, styles, (cents, { decimal, group, places, before }) => {
        const mark = group === "sign" ? (decimal === "." ? "," : ".") : group;
        const write = (amount: number, digits: number): string => {
          const [whole = "", fraction] = (amount / 100).toFixed(digits).split(".");
          const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, mark);
          return `${before}${grouped}${fraction === undefined ? "" : decimal + fraction}`;
        };
        const amounts = cents.map((amount) => (places === 0 ? Math.ceil(amount / 100) * 100 : amount));
        const texts = amounts.map((amount) => write(amount, places));
        // One amount with a fraction shows the sign of all.
        const sign = findDecimalSign([...texts, write(1_250, 2)]);
        expect(sign).toBe(decimal);
        const read = texts.map((text) => readAmount(text, sign));
        expect(read.map((one) => (typeof one === "string" ? one : Math.round(Number(one.amount) * 100)))).toEqual(
          amounts,
        );
      }),
    );
  });

  it("is never a thousand times what it says", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.constantFrom(".", ","), (thousandths, sign) => {
        const text = `0${sign}${String(thousandths).padStart(3, "0")}`;
        const read = readAmount(text, undefined);
        expect(typeof read === "string" || Number(read.amount) < 1).toBe(true);
      }),
    );
  });
});

describe("a header", () => {
  it.each([
    ["partNumber", "Artikelnummer|Réf. pièce|Nº Peça|Codice articolo|Onderdeelnr|Reservdelsnr|Varenummer|Osanumero"],
    [
      "partNumber",
      "Numer części|Číslo dílu|Cikkszám|Parça No|Артикул|Номер деталі|№ по каталогу|品番|零件号|품번|MAKER PART NO.",
    ],
    ["partNumber", "IdArticulo|Product ID|IdProd|ID prodotto"],
    ["title", "Bezeichnung|Désignation|Descripción|Descrizione|Benämning|Nimitys|Nazwa|Megnevezés|Назва|品名|품명"],
    [
      "price",
      "VKPreis|Prix HT|Precio|Preço|Prezzo|Prijs|Pris|Hinta|Cena|Ár|Fiyat|Цена|Ціна|Τιμή|定価|单价|가격|MSRP|MRP",
    ],
    ["title", "Titolo|Titre|Номенклатура"],
    ["price", "€ excl. VAT|Listino"],
    ["stock", "Lagerbestand|Existencias|Estoque|Giacenza|Voorraad|Lagersaldo|Stan|Skladem|Készlet|Остаток|在庫数"],
    ["reorderPoint", "Meldebestand|Reorder at|Reorder point"],
    ["weight", "Gewicht|Poids|Peso|Vikt|Paino|Waga|Hmotnost|Вес|重量|Weight (lbs)"],
    ["brand", "Hersteller|Marque|Fabricante|Produttore|Merk|Valmistaja|Producent|Výrobce|Бренд|Виробник|メーカー"],
    ["barcode", "EAN|UPC|Strichcode|Code-barres|Código de barras|Kod kreskowy|Штрихкод|JANコード"],
    ["replacement", "Superseded by|Ersetzt durch|Remplacé par|Reemplazado por|Sostituito da"],
    ["coreCharge", "Core charge|Pfand|Consigne"],
    ["priceGroup", "Discount code|Preisgruppe|Rabattgruppe"],
  ])("of %s is one in %s", (role, headers) => {
    for (const header of headers.split("|")) expect([header, rankHeader(header)?.role]).toEqual([header, role]);
  });

  it("of the list price goes before what the dealer pays, and `net` of tax is no cost beside it", () => {
    const rank = (header: string): number => rankHeader(header)?.rank ?? Infinity;
    expect(rank("Cena sprzedaży (netto)")).toBeLessThan(rank("Cena zakupu (netto)"));
    expect(rank("Descripción")).toBeLessThan(rank("Descripción Adicional"));
    expect(rankHeader("Publico 800 Lista 1")?.role).toBe("price");
  });

  it.each(["artikel;name;ek", "MODEL;AÇIKLAMA;LİSTE FİYATI", "Part;Description;Price"])(
    "of an article or a model, %s, heads numbers",
    async (head) => {
      const { parts } = await readList(`${head}\nAX-20;Pumpe;1,50\nAX-21;Ventil;2,50\n`, {
        choice: { currency: "EUR" },
      });
      expect(parts.map(({ partNumber, title }) => [partNumber, title])).toEqual([
        ["AX-20", "Pumpe"],
        ["AX-21", "Ventil"],
      ]);
    },
  );

  it.each(["Min qty", "Pkg Qty", "Image", "Länge", "Category", "Notes", "Модель", "URL"])(
    "like %s is none of them",
    (header) => {
      expect(rankHeader(header)).toBeUndefined();
    },
  );
});
