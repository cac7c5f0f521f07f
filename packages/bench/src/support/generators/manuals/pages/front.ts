import { date, phone, serial } from "../prose.ts";
import { lineHeight, textCentred, textRight, type TextStyle } from "../surface.ts";
import { noteDistractors, startPage, type Writing } from "../writing.ts";

/** Writes the title page: what the document is, who made it and for which models. */
export function titlePage(writing: Writing): void {
  const { random, maker, truth, style } = writing;
  const { surface, page } = startPage(writing, "title");
  const centre = surface.width / 2;
  const lines: [text: string, style: TextStyle][] = [
    [maker.name, { face: "bold", size: 24 }],
    [truth.title.toUpperCase(), { face: "bold", size: 18 }],
    [random.pick(maker.kinds), { face: "regular", size: 15 }],
    [`${truth.models.length > 1 ? "Models" : "Model"} ${truth.models.join(", ")}`, { face: "bold", size: 15 }],
  ];
  let y = 140;
  for (const [text, look] of lines) {
    textCentred(surface, text, centre, y, look);
    y += lineHeight(look) + 22;
  }
  const printed = date(random);
  const number = serial(random);
  truth.serialFrom = number;
  const call = phone(random);
  const small: TextStyle = { face: "regular", size: 9 };
  const imprint = [
    `Printed ${printed}`,
    `Serial numbers ${number} and up`,
    `${maker.name}, ${maker.city}`,
    `Customer service ${call}`,
    ...(style.form === undefined ? [] : [style.form]),
  ];
  imprint.forEach((line, index) => textCentred(surface, line, centre, surface.height - 160 + index * 14, small));
  noteDistractors(writing, page, [
    printed,
    number,
    call,
    maker.city,
    ...(style.form === undefined ? [] : [style.form]),
  ]);
}

/** Room for the contents, which are known at the end. Answers its number. */
export function contentsPage(writing: Writing): number {
  return startPage(writing, "contents").page;
}

export function writeContents({ pages, contents, style }: Writing, page: number): void {
  const surface = pages.again(page);
  const look: TextStyle = { face: "regular", size: 10 };
  const top = style.margin + 30;
  surface.text("Contents", style.margin, top, { face: "bold", size: 15 });
  const lines = contents.slice(0, Math.floor((surface.height - 2 * style.margin - 80) / 15));
  lines.forEach((entry, index) => {
    const y = top + 30 + index * 15;
    const right = surface.width - style.margin;
    surface.text(entry.text, style.margin, y, look);
    const from = style.margin + surface.widthOf(`${entry.text} `, look);
    const dots = Math.floor((right - 24 - from) / surface.widthOf(".", look));
    if (dots > 0) surface.text(".".repeat(dots), from, y, look);
    textRight(surface, String(entry.page), right, y, look);
  });
}
