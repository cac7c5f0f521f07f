import { createFitmentWriter } from "../../../../../services/ai/fitment/writer.ts";
import { Directories } from "../../../../parts-search/src/fitment-index/directory.ts";
import { FitmentReader } from "../../../../parts-search/src/fitment-index/reader.ts";
import { getAt } from "../../../../toolkit/src/get-at.ts";
import { generatedManuals, type MadeManual } from "../fitment/generated-manuals.ts";
import { generatedRows } from "../generated-catalog/price-rows.ts";
import { defineFamily, pickRow } from "./family.ts";

/** Rows of parts lists that a model's manual has, of four models. */
const ROWS_OF_A_MODEL = 25;
/** Rows of a part, on average. */
const ROWS_OF_A_PART = 5;

const manuals: MadeManual["manual"][] = [];
let numbers: string[] = [];

/** What fits a machine, by its manuals. Its rows are lines of parts lists. */
export const fitment = defineFamily({
  name: "fitment",
  kinds: {
    "parts of a model": "look-up",
    "machines of a part": "look-up",
    "diagrams of a model": "look-up",
    "read the directory": "count",
  },
  async fill({ documents }, rows) {
    const writer = createFitmentWriter(documents);
    const catalog = [...generatedRows(rows / ROWS_OF_A_PART)];
    manuals.length = 0;
    for (const { manual, parts, drawn } of generatedManuals(rows / ROWS_OF_A_MODEL, catalog)) {
      const source = {
        async *readParts() {
          yield await Promise.resolve(parts);
        },
      };
      await writer.write(manual, 1, source, { onlyOfPage: new Map(), serialsOfFigure: new Map(), drawn });
      manuals.push(manual);
      numbers = parts.map(({ partNumber }) => partNumber);
    }
  },
  open({ documents }) {
    const directories = new Directories(documents);
    /** One that has no row in its cache. */
    const openReader = (): FitmentReader => new FitmentReader(documents, directories);
    const pickModel = (round: number): string => {
      const { manufacturer, equipment } = getAt(manuals, pickRow(round, manuals.length));
      return `${manufacturer} ${equipment[round % equipment.length]}`;
    };
    return Promise.resolve({
      operations: {
        "parts of a model": (round) => openReader().readByModel(pickModel(round)),
        "machines of a part": (round) => openReader().readByPart(getAt(numbers, round % numbers.length)),
        "diagrams of a model": (round) => openReader().findDiagramsByModel(pickModel(round), 50),
        "read the directory": () => new FitmentReader(documents).getDirectory(),
      },
      close: () => Promise.resolve(),
    });
  },
});
