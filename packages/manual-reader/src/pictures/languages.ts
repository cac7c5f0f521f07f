import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Languages that can be recognised where their data is installed; an image may leave out all but English. */
export const OCR_LANGUAGES = ["eng", "deu", "fra", "spa", "por", "ita"] as const;

/** Returns the file with what the recogniser knows of a language. @throws if its package is not installed */
export function findLanguage(code: string): string {
  return join(dirname(resolve(`@tesseract.js-data/${code}/package.json`)), "4.0.0_best_int", `${code}.traineddata.gz`);
}

export function isLanguageInstalled(code: string): boolean {
  try {
    findLanguage(code);
    return true;
  } catch {
    return false;
  }
}
