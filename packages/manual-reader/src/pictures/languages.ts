import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);

/** Returns the file with what the recogniser knows of a language. @throws if its package is not installed */
export function findLanguage(code: string): string {
  return join(dirname(resolve(`@tesseract.js-data/${code}/package.json`)), "4.0.0_best_int", `${code}.traineddata.gz`);
}

/** Lists those languages whose data is not installed: an image may leave out all but English. */
export function listMissingLanguages(codes: readonly string[]): string[] {
  return codes.filter((code) => {
    try {
      findLanguage(code);
      return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return true;
      throw error;
    }
  });
}
