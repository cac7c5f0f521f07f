import { randomFrom, type Random } from "../random.ts";
import { MAKERS } from "./makers.ts";
import { FIGURE_GROUPS, type FigureGroup } from "./part-names.ts";
import { PartPool } from "./part-pool.ts";
import { PdfPages } from "./pdf-pages.ts";
import { contentsPage, titlePage, writeContents } from "./pages/front.ts";
import {
  explodedViewPages,
  landscapePages,
  scannedPage,
  tablePages,
  twoColumnPage,
  type PlannedFigure,
} from "./pages/figures.ts";
import { plantedPage, type Plant } from "./pages/planted.ts";
import { prosePage } from "./pages/prose.ts";
import { supersessionPage } from "./pages/supersession.ts";
import { manualStyle, type ManualStyle } from "./style.ts";
import { PARTS_LAYOUTS, type ManualTruth, type PartsLayout } from "./truth.ts";
import type { Writing } from "./writing.ts";

/** Of the figures whose tables have room to say so. */
const SUPERSEDED = 0.4;

export interface ManualOptions {
  /** Code of the maker (makers.ts); else by the seed. */
  vendor?: string;
  /** As printed; else one to three made up by the seed. */
  models?: readonly string[];
  /** Number of figures, 9 by default; each is on one page or two, and there is a page of prose to every three. */
  figures?: number;
  /** Those that its figures take in turns, in an order by the seed; all when left out. */
  layouts?: readonly PartsLayout[];
  /** Titles of figures that must be there, first and in this order. */
  titles?: readonly string[];
  /** Of its pages in the layout `hidden-text`, in the place of the usual ones. */
  plants?: readonly Plant[];
  style?: Partial<ManualStyle>;
}

/**
 * An equipment manual, the same bytes for the same seed and options, and its facts. @throws Error for an
 * unknown vendor
 */
export async function generateManual(
  seed: string,
  options: ManualOptions = {},
): Promise<{ pdf: Buffer; truth: ManualTruth }> {
  const random = randomFrom(`manual ${seed}`);
  const maker =
    options.vendor === undefined ? random.pick(MAKERS) : MAKERS.find(({ vendor }) => vendor === options.vendor);
  if (!maker) throw new Error(`No maker has the code ${options.vendor}`);
  const models =
    options.models ?? Array.from({ length: random.integer(1, 3) }, () => random.code(random.pick(maker.models)));
  const style = { ...manualStyle(random), ...options.style };
  const title = random.pick([
    "Parts Manual",
    "Illustrated Parts List",
    "Operator's and Parts Manual",
    "Service Parts Catalog",
  ]);
  const truth: ManualTruth = {
    seed,
    title,
    filename: `${[maker.vendor, models[0]!]
      .join("-")
      .replace(/[^\w.-]+/g, "-")
      .toLowerCase()}-parts.pdf`,
    manufacturer: maker.name,
    vendor: maker.vendor,
    models: [...new Set(models)],
    serialFrom: "",
    size: style.size,
    pages: [],
    figures: [],
    parts: [],
    tables: [],
    planted: [],
  };
  const pages = new PdfPages({
    title: `${maker.name} ${models.join(", ")} ${title}`,
    author: maker.name,
    family: style.family,
    size: style.size,
  });
  const writing: Writing = {
    random,
    style,
    maker,
    pages,
    truth,
    pool: new PartPool(random, maker.vendor),
    contents: [],
  };
  writePages(writing, options);
  return { pdf: await pages.end(), truth };
}

function writePages(
  writing: Writing,
  { figures: count = 9, layouts = PARTS_LAYOUTS, titles = [], plants }: ManualOptions,
): void {
  const { random } = writing;
  titlePage(writing);
  const contents = contentsPage(writing);
  prosePage(writing);
  const figures = planFigures(writing, count, titles);
  const inTurns = shuffled(random, layouts);
  for (let index = 0, turn = 0; index < figures.length; index += 1, turn += 1) {
    const layout = inTurns[turn % inTurns.length]!;
    const figure = figures[index]!;
    if (layout === "exploded-view") explodedViewPages(writing, figure);
    else if (layout === "two-column") twoColumnPage(writing, figure);
    else if (layout === "scanned") scannedPage(writing, figure);
    else if (layout === "hidden-text") plantedPage(writing, figure, plants);
    else if (layout === "rotated" || layout === "sideways") landscapePages(writing, layout, figure);
    else {
      const hasSpare = figures.length - index > inTurns.length - turn;
      const second = hasSpare ? random.integer(0, 1) : 0;
      tablePages(writing, layout, figures.slice(index, index + second + 1));
      index += second;
    }
    if (turn % 3 === 2) prosePage(writing);
  }
  supersessionPage(writing);
  writeContents(writing, contents);
}

/**
 * The groups of the maker's equipment first, then what every machine has, then the same again for another type of it.
 */
function planFigures(
  { random, maker, pool, style }: Writing,
  count: number,
  titles: readonly string[],
): PlannedFigure[] {
  const machineGroups = shuffled(
    random,
    maker.figures.flatMap((kind) => FIGURE_GROUPS[kind]),
  );
  const groups = [...machineGroups, ...shuffled(random, FIGURE_GROUPS.any)];
  const chosenGroups = titles.map((title) => groups.find((group) => group.title === title)!);
  const ordered = [...chosenGroups, ...groups.filter((group) => !chosenGroups.includes(group))];
  return Array.from({ length: count }, (_, index) => {
    const group = ordered[index % ordered.length]!;
    const type = Math.floor(index / ordered.length) + 1;
    return {
      label: style.label(index + 1),
      title: type === 1 ? group.title : `${group.title}, Type ${type}`,
      parts: planParts(random, pool, group, style),
    };
  });
}

function planParts(random: Random, pool: PartPool, group: FigureGroup, style: ManualStyle): PlannedFigure["parts"] {
  const hardware = Array.from({ length: random.integer(0, 5) }, () => pool.hardwarePart());
  const once = hardware.filter(
    (part, index) => hardware.findIndex(({ partNumber }) => partNumber === part.partNumber) === index,
  );
  const superseded =
    style.order.includes("remarks") && random.chance(SUPERSEDED) ? [{ ...pool.superseded().old, quantity: 1 }] : [];
  let reference = 0;
  return [...group.parts.map((namedPart) => pool.part(namedPart)), ...superseded, ...once].map((part) => {
    reference += random.chance(0.9) ? 1 : 2;
    return { ...part, reference: String(reference) };
  });
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const left = [...values];
  return values.map(() => left.splice(random.integer(0, left.length - 1), 1)[0]!);
}
