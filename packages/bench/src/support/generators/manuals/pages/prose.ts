import { normalize } from "../number-families.ts";
import type { NamedPart } from "../part-names.ts";
import type { PlannedPart } from "../part-pool.ts";
import { partTruth } from "../parts-table.ts";
import { proseHeading, proseSentences, torqueRows } from "../prose.ts";
import { tableLook } from "../style.ts";
import { lineHeight, paragraph, type Surface, type TextStyle } from "../surface.ts";
import { drawTable } from "../table.ts";
import { noteDistractors, startPage, type Area, type Writing } from "../writing.ts";

const SERVICE_PARTS: readonly NamedPart[] = [
  "Maintenance Kit",
  "Engine Oil Bottle",
  "Touch-Up Paint",
  "Grease Cartridge",
  "Blade Removal Tool",
  "Fuel Stabilizer",
].map((name) => ({ name, quantity: [1, 1] }));

/** A chapter: sentences, now and then a table of torques, now and then parts that are named by their label. */
export function prosePage(writing: Writing): { surface: Surface; page: number; area: Area } {
  const { random, style, maker, truth, contents } = writing;
  const { surface, page, area } = startPage(writing, "prose");
  const title = proseHeading(random);
  contents.push({ text: title, page });
  surface.text(title, area.x, area.y, { face: "bold", size: 13 });
  const text: TextStyle = { face: "regular", size: style.text + 1 };
  let y = area.y + 26;
  const figure = (): string =>
    truth.figures.length > 0 ? `Figure ${random.pick(truth.figures).label}` : "the next chapter";
  for (let count = random.integer(3, 6); count > 0; count -= 1) {
    const sentences = proseSentences(random, random.integer(2, 4), { city: maker.city, figure });
    y =
      paragraph(surface, sentences.map((sentence) => sentence.text).join(" "), {
        x: area.x,
        y,
        width: area.width,
        style: text,
      }) + 8;
    noteDistractors(
      writing,
      page,
      sentences.flatMap((sentence) => sentence.distractors),
    );
  }
  if (random.chance(0.5)) y = torqueTable(writing, surface, { ...area, y: y + 6 }, page) + 12;
  if (random.chance(0.5)) y = serviceParts(writing, surface, { ...area, y: y + 6 }, page, text);
  return { surface, page, area: { ...area, y: y + 6 } };
}

function torqueTable(writing: Writing, surface: Surface, area: Area, page: number): number {
  const { random, truth, style } = writing;
  const { rows, distractors } = torqueRows(random, random.integer(4, 8));
  const columns = ["Fastener", "Thread", "Torque"].map((header) => ({
    header,
    align: "left" as const,
    width: area.width / 3,
  }));
  const drawn = drawTable(surface, area, { columns, rows, look: tableLook(style, random.pick(["grid", "rows"])) });
  truth.tables.push({ page, layout: "prose", headerRows: 1, cells: drawn.cells });
  noteDistractors(writing, page, distractors);
  return drawn.bottom;
}

/** Lines such as `Maintenance Kit: P/N 594247`. */
function serviceParts(writing: Writing, surface: Surface, area: Area, page: number, style: TextStyle): number {
  const { random, truth, pool } = writing;
  let y = area.y;
  surface.text("Service parts", area.x, y, { ...style, face: "bold" });
  for (const namedPart of SERVICE_PARTS.slice(0, random.integer(1, SERVICE_PARTS.length))) {
    y += lineHeight(style) + 2;
    const part: PlannedPart = pool.part(namedPart);
    const number = random.chance(0.15) ? `CT-${truth.vendor}-${normalize(part.partNumber)}` : part.partNumber;
    const opening = random.pick([
      `${namedPart.name}: P/N `,
      `${namedPart.name}, Part No. `,
      `Order the ${namedPart.name.toLowerCase()} under part number `,
      `${namedPart.name} (P/N: `,
    ]);
    const { x, height } = surface.text(`${opening}${number}${opening.includes("(") ? ")" : ""}`, area.x, y, style);
    const box = { x: x + surface.widthOf(opening, style), y, width: surface.widthOf(number, style), height };
    truth.parts.push(
      partTruth(writing, { ...part, partNumber: number }, { page, layout: "prose", ledBy: "label", box }),
    );
  }
  return y + lineHeight(style);
}
