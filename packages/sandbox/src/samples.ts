import { readdirSync, readFileSync } from "node:fs";

/** Base URL of images in the price files and listings of samples/: the media service at its default port. */
export const IMAGE_URL_BASE = "http://127.0.0.1:3002/api/media";

const toUrl = (path: string): URL => new URL(`../samples/${path}`, import.meta.url);

/** Names of the files in a folder of samples/, sorted. */
export const sampleNames = (folder: string): string[] => readdirSync(toUrl(folder)).sort();

export const readSample = (path: string): Buffer => readFileSync(toUrl(path));

/** Reads a text of samples/, its image links pointed at `imageUrlBase`. */
export const readSampleText = (path: string, imageUrlBase = IMAGE_URL_BASE): string =>
  readSample(path).toString().replaceAll(IMAGE_URL_BASE, imageUrlBase);

/** Reads a listing of samples/, as `readSampleText` does: a JSON object a line. */
export const readSampleRows = <Row>(path: string, imageUrlBase?: string): Row[] =>
  readSampleText(path, imageUrlBase)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
