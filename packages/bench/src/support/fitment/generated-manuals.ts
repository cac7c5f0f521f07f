import { normalize } from "../generators/manuals/number-families.ts";
import type { ManualFile, ManualPart, PageCallout } from "../../../../manual-reader/src/manual.ts";
import { MAKERS } from "../generators/manuals/makers.ts";
import type { VendorRow } from "../generated-catalog/price-rows.ts";
import { randomFrom, type Random } from "../generators/random.ts";

const FIGURES = ["Engine", "Mower Deck", "Blade Spindle", "Fuel System", "Front Axle", "Belt Drive"] as const;
const FIRST = ["Red", "Iron", "North", "Prairie", "Field", "Stone", "Blue", "Summit", "River", "Oak"] as const;
const SECOND = ["crest", "hawk", "line", "works", "land", "bull", "ridge", "craft", "vale", "gate"] as const;
const MODELS_OF_A_MANUAL = 4;
const FIGURES_OF_A_MANUAL = 4;
const ROWS_OF_A_FIGURE = 25;

export interface MadeManual {
  manual: ManualFile & { manufacturer: string };
  parts: ManualPart[];
  drawn: { page: number; callouts: PageCallout[] }[];
}

/**
 * Manuals of so many models and of a hundred makes, each for four models: four figures of 25 parts, drawn on one page
 * and listed on the next, with numbers of the catalog. Three quarters hint at the parts' vendors.
 */
export function* generatedManuals(models: number, catalog: readonly VendorRow[]): Iterable<MadeManual> {
  const random = randomFrom(`fitment ${models}`);
  const patterns = MAKERS.flatMap((maker) => maker.models);
  const makes = FIRST.flatMap((first) => SECOND.map((second) => `${first}${second}`));
  const usedModels = new Set<string>();
  for (let index = 0; index * MODELS_OF_A_MANUAL < models; index += 1) {
    const manufacturer = makes[index % makes.length]!;
    const equipment = Array.from({ length: MODELS_OF_A_MANUAL }, () =>
      newModel(random, patterns, usedModels, manufacturer),
    );
    yield generateManual(index, { manufacturer, equipment, random, catalog });
  }
}

function newModel(random: Random, patterns: readonly string[], usedModels: Set<string>, manufacturer: string): string {
  for (;;) {
    const model = random.code(random.pick(patterns));
    const key = `${manufacturer} ${normalize(model)}`;
    if (usedModels.has(key)) continue;
    usedModels.add(key);
    return model;
  }
}

function generateManual(
  index: number,
  {
    manufacturer,
    equipment,
    random,
    catalog,
  }: { manufacturer: string; equipment: string[]; random: Random; catalog: readonly VendorRow[] },
): MadeManual {
  const sha256 = index.toString(16).padStart(64, "0");
  const figures = Array.from({ length: FIGURES_OF_A_MANUAL }, (_, at) => ({
    label: String(at + 1),
    title: FIGURES[(index + at) % FIGURES.length]!,
    page: 2 * at + 1,
    images: [],
  }));
  const isOfKnownMaker = index % 4 > 0;
  const references = Array.from({ length: ROWS_OF_A_FIGURE }, (_, index) => String(index + 1));
  return {
    manual: {
      sha256,
      filename: `${index}.pdf`,
      title: `${manufacturer} parts`,
      equipment,
      manufacturer,
      pages: 2 * FIGURES_OF_A_MANUAL,
      figures,
    },
    parts: figures.flatMap(({ label, page }) =>
      references.map((reference): ManualPart => {
        const {
          vendor,
          row: { part_number: partNumber },
        } = random.pick(catalog);
        return {
          partNumber,
          pnNorm: normalize(partNumber),
          confidence: 0.9,
          ...(isOfKnownMaker && { vendor }),
          page: page + 1,
          quantity: 1,
          description: "BOLT, HEX HEAD",
          reference,
          figure: label,
        };
      }),
    ),
    drawn: figures.map(({ label, page }) => ({
      page,
      callouts: references.map((ref) => ({
        figure: label,
        ref,
        box: { x: random.integer(0, 97) / 100, y: random.integer(0, 97) / 100, width: 0.02, height: 0.01 },
      })),
    })),
  };
}
