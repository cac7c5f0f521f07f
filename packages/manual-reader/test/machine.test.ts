import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Evidence } from "../src/models/evidence.ts";
import { identifyMachine, type Machine } from "../src/models/machine.ts";

interface Written {
  filename?: string;
  title?: string;
  /** A cover, as headlines. */
  cover: string;
  /** Pages behind it. */
  pages?: string[];
  listed?: string[];
}

/** Lines are separated by slashes with blanks around them. */
const identify = ({ filename = "scan.pdf", title, cover, pages = [], listed = [] }: Written): Machine => {
  const toText = (lines: string): string => lines.split(" / ").join("\n");
  return identifyMachine({
    filename,
    title,
    pages: [
      { page: 1, text: toText(cover), headlines: cover.split(" / ") },
      ...pages.map((text, index) => ({ page: index + 2, text: toText(text) })),
    ],
    listed: new Set(listed),
  });
};

describe("the machine that a manual is for", () => {
  it.each<[string, Written, string[], string | undefined]>([
    [
      "names of a label, on lines of their own",
      { cover: "OWNER'S MANUAL / MODEL NO'S / RX/3 48 / RX/3 60 / ROTARY CUTTER", pages: ["FARMWELL, INC. / Box 4"] },
      ["RX/3 48", "RX/3 60"],
      "Farmwell",
    ],
    [
      "a label and digits alone, in another language",
      { cover: "TORVALLA / Modelo 615 / Catálogo de piezas de recambio", pages: ["Fabricado por Torvalla Maquinas"] },
      ["615"],
      "Torvalla Maquinas",
    ],
    [
      "a known maker's name that is a series, and a company whose line goes on with a sentence",
      {
        cover: "304 Challenger Series Rotary Vane Vacuum Pumps / Owner's Manual",
        pages: [
          "© 2015 Farmwell Pumps Company. All rights reserved",
          "FW 304 Challenger Series",
          "FW 304 / Parts List",
        ],
      },
      [],
      "Farmwell Pumps",
    ],
    [
      "names whose hyphen has blanks around it, and no drawing's number",
      { cover: "КМН - 5.6/КМН-5.4 / Руководство по эксплуатации / КМН 00.00.ИЭ", pages: ["КМН-5.6", "КМН-5.4"] },
      ["КМН-5.6", "КМН-5.4"],
      undefined,
    ],
    [
      "no word of a document's number behind the maker",
      {
        cover: "KOHLER SV-0925 / Parts manual / Kohler Publication 12-345",
        pages: ["Kohler Publication 12-345 / 2", "Kohler Publication 12-345 / 3"],
      },
      ["SV-0925"],
      "Kohler",
    ],
    [
      "the model without the figure of an edition, which only the cover has",
      {
        cover: "KESTREL GLIDE BEE QL3000DY-2 / SERVICE MANUAL",
        pages: ["Put the QL3000DY on its stand", "The QL3000DY has a chain", "Cover of the QL3000DY"],
      },
      ["QL3000DY"],
      undefined,
    ],
    [
      "one model for its many markets",
      {
        cover: "Monitor 192E2SB / Service manual",
        pages: ["Model 192E2SB/00 192E2SB/05 192E2SB/10 192E2SB/27", "192E2SB/00 192E2SB/05 192E2SB/10 192E2SB/27"],
      },
      ["192E2SB"],
      undefined,
    ],
    [
      "the maker of whom the numbers are, by the file's name, though a letter was misread",
      {
        filename: "krestrel_gearbox.pdf",
        cover: "Parts list",
        pages: ["Item Krestrol No. Part Description / 1 4-2 Nut"],
      },
      [],
      "Krestrel",
    ],
    [
      "a Japanese label",
      { cover: "取扱説明書 / コンバイン / 型式 SR655", pages: ["© 2011 Yanmar Co., Ltd."] },
      ["SR655"],
      "Yanmar",
    ],
    [
      "several in a row, and the maker of the copyright line",
      { cover: "PARTS CATALOGUE / DX40TR/DX40TRG/DX40AE", pages: ["© 2009 by Suzuki Motor Corporation"] },
      ["DX40TR", "DX40TRG", "DX40AE"],
      "Suzuki",
    ],
    [
      "a number that only the maker in front of it makes a model",
      { cover: "PEUGEOT 306 / Manuel de réparation", pages: ["Automobiles Peugeot"] },
      ["306"],
      "Peugeot",
    ],
    [
      "letters and digits apart, with more of them",
      { cover: "HP 340 G2 Notebook PC / Maintenance and Service Guide", pages: ["© Copyright Hewlett-Packard"] },
      ["340 G2"],
      "HP",
    ],
    [
      "a name with a figure, and no technical note",
      { cover: "Technical Note 3412A / Laguna II / Fitting the towbar", pages: ["Laguna II body / © RENAULT 2003"] },
      ["Laguna II"],
      "Renault",
    ],
    [
      "no machine that it fits",
      {
        cover: "Front Loader LA525 / Parts Manual / Fits Kubota L3400 and L3800 tractors",
        pages: ["Manufactured by Farmwell, Inc. / Genuine Farmwell parts"],
      },
      ["LA525"],
      "Farmwell",
    ],
    [
      "what runs through all pages",
      {
        cover: "Wartung / Kapitel 9",
        pages: ["1", "2", "3"].map((page) => `Bedienungsanleitung Füllmaschine W-210 / Kapitel 9 / Seite ${page}`),
      },
      ["W-210"],
      undefined,
    ],
    [
      "the file's name, with a maker that is known",
      { cover: "Spare parts", filename: "07_honda_hrx217.pdf" },
      ["HRX217"],
      "Honda",
    ],
    [
      "the file's name where the pages have no text",
      { cover: "", filename: "08_bultaco_sherpa.pdf" },
      ["Sherpa"],
      "Bultaco",
    ],
    [
      "a maker in Japanese, whose form touches its name",
      { cover: "取扱説明書 / 型式：L1-24 / 株式会社クボタ" },
      ["L1-24"],
      "Kubota",
    ],
    [
      "a label's capitals without digits",
      { cover: "Manual técnico / Série: KMX", pages: ["Bombas Vulcano Ltda."] },
      ["KMX"],
      "Bombas Vulcano",
    ],
    [
      "a name and digits, with others in the same row",
      { cover: "STIHL FS 55, 75 / Gebrauchsanleitung / © ANDREAS STIHL AG & Co. KG" },
      ["FS 55", "FS 75"],
      "Stihl",
    ],
    [
      "no number of a document, measure, date, standard or part",
      {
        cover: "Parts List / Form MX-20112-44-1 / 12V / June 2004 / ISO 9001 / up to 35 HP / TR5591",
        listed: ["TR5591"],
      },
      [],
      undefined,
    ],
    [
      "no maker of a trademark",
      {
        cover: "Instruction Manual",
        pages: ["Bluetooth is a trademark of Bluetooth SIG, Inc. / Windows is by Microsoft Corp."],
      },
      [],
      undefined,
    ],
    [
      "all of a family in the head of each page's table",
      {
        cover: "PARTS CATALOG / Suzuki",
        pages: ["1", "2", "3", "4"].map(
          (page) =>
            `Remarks / Fig. ${page} / ${page}.COVER / (A)=4KX30-TEU (C)=4KX30F-TEU / (B)=4KX30C-TEU / REF. NO. / ` +
            Array.from({ length: 8 }, (_, row) => `${row} BOLT ${page}${row}`).join(" / "),
        ),
      },
      ["4KX30-TEU", "4KX30C-TEU", "4KX30F-TEU"],
      "Suzuki",
    ],
    [
      "a name with a figure, and no code of a part of it",
      {
        cover: "Instructions SeedMax 500 / QRT 8-32 / Original instructions",
        pages: [
          "© Nordvik AB, Lund, Sweden",
          ...Array.from({ length: 10 }, (_, step) => `${step} Set the SeedMax 500`),
        ],
      },
      ["SeedMax 500"],
      "Nordvik",
    ],
    [
      "no type of a component further back",
      {
        cover: "BX400 / Service Manual",
        pages: ["BX400 / Contents"].concat(
          [1, 2, 3, 4].map((page) => `BX400 / Panel / Type No. : ZEC LTM185AT0${page} / Resolution`),
        ),
      },
      ["BX400"],
      undefined,
    ],
    [
      "a label whose model looks like a standard's number",
      { cover: "Parts Manual / Model: ISO-91D", pages: ["Nordvik GmbH"] },
      ["ISO-91D"],
      "Nordvik",
    ],
    [
      "what its company says that it is called",
      {
        cover: "TOR-VAL SILVER FOX NX3000 / SERVICE MANUAL",
        filename: "04_torval_service.pdf",
        pages: ["Ningbo Feiyang Technology Co., Ltd (Hereafter called Tor-Val) explains this manual."],
      },
      ["SILVER FOX NX3000"],
      "Tor-Val",
    ],
    [
      "a company in quotation marks, and none of a list of suppliers",
      {
        cover: "Model KD90X / Reproduction must be authorized by “TORVA” S.p.A",
        pages: ["Nordvik GmbH", "Bolt 2 AXIA S.L. / Nut 4 BRUMA S.L. / Belt 1 CORVO S.L. / Gear 1 DELMA S.L."],
        filename: "torva_kd90x.pdf",
      },
      ["KD90X"],
      "Torva",
    ],
    [
      "a drawing's title with underscores, and a company in small letters",
      { cover: "Disegno / QRB_130C_00 / TORVA LAME srl / 3", filename: "torva.pdf", title: "QRB_130C_00_ESPLOSO" },
      ["QRB 130C"],
      "Torva Lame",
    ],
    [
      "no title that is a document's number alone",
      { cover: "Parts Manual / Gear reducers", title: "QN5002", pages: ["Bulletin / QN5002"] },
      [],
      undefined,
    ],
    [
      "a trademark alone on a line of the cover, and the maker whose initials it has",
      { cover: "Fell River Mills / Manuel de service client / FRM Silk loom™" },
      ["FRM Silk loom"],
      "Fell River Mills",
    ],
    [
      "a series with an X where its models differ, and no material of a table",
      {
        cover: "OPERATOR’S MANUAL / 8840X-X / INCLUDING: OPERATION",
        filename: "torva_8840x.pdf",
        pages: ["Models 8840H-X, 8840K-X / Ball: Sealoprene® / Grease: Key-Fat®", "Sealoprene® / Key-Fat®"],
      },
      ["8840X-X"],
      undefined,
    ],
    [
      "the column of suppliers in a list whose numbers are spelled as the drawing's",
      {
        cover: `View Q018-0017 / Assembly Q018-0017 / ${[21, 22, 23, 24, 25, 26].map((n) => `${n} Q018-00${n} Stop TORVA`).join(" / ")}`,
        filename: "torva_press.pdf",
        listed: ["Q0180021", "Q0180022", "Q0180023", "Q0180024", "Q0180025", "Q0180026"],
      },
      [],
      "Torva",
    ],
    [
      "no drawing's number of zeros",
      { cover: "Assembly QRE-000 / Parts list", filename: "target_qre-000.pdf" },
      [],
      undefined,
    ],
    [
      "a word of the file's name that is spelled in a way of its own",
      {
        cover: "Bill of materials",
        filename: "tricycle_bom.pdf",
        pages: ["1 TRiCycle Housing 1 / 2 TRiCycle Plate 1"],
      },
      ["TRiCycle"],
      undefined,
    ],
    [
      "a company in a sentence in capitals, and behind a number",
      {
        cover: "DETRIMENTAL TO TORVA FOG NOZZLE INC. / REQUIRED, 3QA-30347 TORVA FOG NOZZLE, INC.",
      },
      [],
      "Torva Fog Nozzle",
    ],
    [
      "no supplier of a row, and no form of a drawing that nobody filled in",
      {
        cover:
          "Bill of materials / 3 AXIA Inc. QSAA100 Joystick 1 / INSERT COMPANY NAME HERE / ANY REPRODUCTION IN PART OR AS A WHOLE",
      },
      [],
      undefined,
    ],
    [
      "no code behind a revision, on each page",
      {
        cover: "Ann Reed Swing Arm Parts List - Rev 4 QXEE2117 - ACE / Swing Arm Parts List",
        filename: "swing_arm.pdf",
        pages: Array.from({ length: 3 }, (_, n) => `Ann Reed Swing Arm Parts List - Rev 4 QXEE2117 - ACE / ${n}`),
      },
      ["Swing Arm"],
      undefined,
    ],
    [
      "a figure that touches the maker's name",
      {
        cover: "9501 Ultimaker3+ voor assemblage / Partnummer Rev Name",
        filename: "ultimaker3plus.pdf",
        pages: ["© Ultimaker B.V."],
      },
      ["Ultimaker 3+"],
      "Ultimaker",
    ],
    [
      "a German type behind its article, and no railway that runs it",
      {
        cover: "Handbuch zur Wartung / Flachwagen der Bauart Kols (Typ: 51/3) / der Torvaer Eisenbahn AG",
        pages: ["Flachwagen der Bauart Kols (Typ: 51/3) / Torvaer Eisenbahn AG", "Bremse des Kols"],
      },
      ["Kols"],
      undefined,
    ],
    [
      "no maker of components in a list, however many",
      { cover: "Components", pages: ["1 Resistor PANASONIC ERJ / 2 Capacitor PANASONIC SVP", "3 Resistor PANASONIC"] },
      [],
      undefined,
    ],
    [
      "a company alone on a line, whose address on the web has its name",
      { cover: "BOM RX-3000 / Torvacap / fabrica@torvacap.cl", pages: ["Torvacap / fabrica@torvacap.cl"] },
      ["RX-3000"],
      "Torvacap",
    ],
  ])("is read from %s", (_, written, equipment, manufacturer) => {
    const machine = identify(written);
    expect(new Set(machine.equipment)).toEqual(new Set(equipment));
    expect(machine.manufacturer).toBe(manufacturer);
  });

  it("is asked for with suggestions, the likeliest first, where little speaks for it", () => {
    const { equipment, unsure } = identify({ cover: "Instruction Manual", filename: "bx2350.pdf" });
    expect(equipment).toEqual([]);
    expect(unsure).toEqual({ equipment: [{ name: "BX2350", confidence: 0.4 }], manufacturer: [] });
  });

  it.each<[string, Written, string[]]>([
    [
      "on each page",
      {
        cover: "SILVER FOX components and parts Illustration-01",
        pages: ["2", "3", "4"].map(
          (page) => `No. Part Qty / ${page} Bolt ${page} / SILVER FOX components and parts Illustration-0${page}`,
        ),
      },
      ["SILVER FOX"],
    ],
    ["in its file's name", { cover: "EZ Opener / 1 / 2", filename: "14_ez_opener.pdf" }, ["EZ Opener"]],
    ["and nowhere else", { cover: "EZ Opener / 1 / 2" }, []],
    [
      "with a figure that its file's name has",
      { cover: "Clamp Block 58 / 12 bolts", filename: "torva_block58.pdf" },
      ["Clamp Block 58"],
    ],
    [
      "behind a label",
      { cover: "Bill of Materials / Product: Snip & Bend, Wire Cutter", filename: "snip_bend.pdf" },
      ["Snip & Bend"],
    ],
    ["with underscores", { cover: "CTRLIO_V1.0_840C & CTRLIO_V1.0_840C Stückliste" }, ["CTRLIO_V1.0_840C"]],
    ["that only says what the manual is", { cover: "Exploded View / Spare parts", filename: "exploded_view.pdf" }, []],
  ])("is the name that is all of a title %s, to be confirmed", (_, written, equipment) => {
    const machine = identify(written);
    expect(machine.equipment).toEqual(equipment);
    expect(machine.unsure).toBeDefined();
  });

  it("suggests the word in front of a model in the file's name as its maker, and less what the text has nowhere", () => {
    const { equipment, manufacturer, unsure } = identify({
      cover: "Parts of the machine, as we deliver them / 1 Bolt",
      filename: "torvatec_bx2350.pdf",
    });
    expect({ equipment, manufacturer }).toEqual({ equipment: [], manufacturer: undefined });
    expect(unsure).toEqual({
      equipment: [{ name: "BX2350", confidence: 0.22 }],
      manufacturer: [{ name: "Torvatec", confidence: 0.2 }],
    });
  });

  it("is not asked for where the manual is clear, or its sender said it", () => {
    const clear = {
      cover: "Kubota L3400 / Operator's Manual / Model L3400",
      pages: ["Genuine Kubota parts", "Kubota Corporation"],
    };
    expect(identify(clear)).toEqual({ equipment: ["L3400"], manufacturer: "Kubota" });
    const pages = [{ page: 1, text: "Parts" }];
    expect(identifyMachine({ filename: "a.pdf", pages }, { equipment: ["ZX-1"], manufacturer: "Own" })).toEqual({
      equipment: ["ZX-1"],
      manufacturer: "Own",
    });
  });

  it("is the surer, the more sources say the same, and never certain", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 8 }),
        (weights) => {
          const evidence = new Evidence((name) => name.toUpperCase());
          let before = 0;
          for (const [index, weight] of weights.entries()) {
            evidence.add(index % 2 === 0 ? "gx1" : "GX1", `source ${index}`, weight);
            const [{ confidence } = { confidence: 0 }, ...others] = evidence.rank();
            expect(others).toEqual([]);
            expect(confidence).toBeGreaterThanOrEqual(before);
            before = confidence;
          }
          expect(before).toBeLessThanOrEqual(1);
          // The same source again adds nothing.
          evidence.add("gx1", "source 0", weights[0]!);
          expect(evidence.rank()[0]!.confidence).toBe(before);
        },
      ),
    );
  });
});
