/**
 * Draws the pictures of the sandbox's parts into samples/pictures, and links price files and listing to them:
 * `node packages/sandbox/draw.ts`. The pictures are kept in the repository, because a link is the hash of a picture's
 * bytes, and another version of the renderer writes others.
 */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import sharp from "sharp";
import { parse } from "csv-parse/sync";
import { choosePicture, DRAWINGS } from "./src/catalog/drawings/choose.ts";
import { IMAGE_URL_BASE } from "./src/samples.ts";

const toUrl = (path: string): URL => new URL(`samples/${path}`, import.meta.url);

const DOTS_PER_INCH = 72;
/** Of what is drawn, and of the white around it, in pixels. */
const SIDE = 436;
const MARGIN = 22;

const links = new Map<string, string>();
for (const name of readdirSync(toUrl("pictures"))) rmSync(toUrl(`pictures/${name}`));
for (const [name, svg] of Object.entries(DRAWINGS)) {
  const drawing = await sharp(Buffer.from(svg), { density: 2 * DOTS_PER_INCH })
    .trim({ threshold: 3 })
    .toBuffer();
  const webp = await sharp(drawing)
    .resize(SIDE, SIDE, { fit: "contain", background: "#fff" })
    .extend({ top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN, background: "#fff" })
    .webp({ quality: 68, effort: 6 })
    .toBuffer();
  writeFileSync(toUrl(`pictures/${name}.webp`), webp);
  links.set(name, `${IMAGE_URL_BASE}/${hash("sha256", webp)}`);
}

const findLink = (title: string, partNumber: string): string => links.get(choosePicture(title, partNumber) ?? "") ?? "";

/** The end of a row: status, picture, successor and weight have no commas. */
const ROW_END = /(?<=,[a-z]*,)[^,"]*(?=,[^,"]*(?:,[^,"]*)?$)/;
for (const name of readdirSync(toUrl("price-files"))) {
  const rows = readFileSync(toUrl(`price-files/${name}`), "utf8").split("\n");
  const linkedRows = rows.map((row, index) => {
    const [partNumber = "", title = ""] = parse(row)[0] ?? [];
    return index === 0 ? row : row.replace(ROW_END, findLink(title, partNumber));
  });
  writeFileSync(toUrl(`price-files/${name}`), linkedRows.join("\n"));
}

const tires = readFileSync(toUrl("tires.ndjson"), "utf8").trimEnd().split("\n");
const linkedTires = tires.map((line) => {
  const tire = JSON.parse(line) as { itemNumber: string; description: string; images: string[] };
  // A wheel's second picture is its tire alone.
  const titles = [tire.description, tire.description.replace(/^Tire and Wheel Assembly \S+ (Rib|Turf)/, "$1 Tire")];
  const images = new Set(titles.map((title) => findLink(title, tire.itemNumber)).filter((link) => link !== ""));
  return JSON.stringify({ ...tire, images: [...images] });
});
writeFileSync(toUrl("tires.ndjson"), `${linkedTires.join("\n")}\n`);
