/** A machine that parts of a catalog fit. */
export interface CatalogMachine {
  /** As the catalog writes it. */
  name: string;
  /** The vendor of its parts. */
  maker: string;
}

/** A sentence on what a part fits, up to its end: `Fits Command CH25 and Confidant ZT720.` */
const SENTENCE =
  /(?:^|[.;]\s+)(?:also )?(?:fits|compatible with|suitable for)(?: models?)?:? +(.+?)(?=\.(?:\s|$)|;|$)/giu;
const SEPARATOR = /\s*[,/]\s+(?:and |or )?| and | or | & (?=.*\d)/;
/** A name has a digit or is an abbreviation; `most mowers` and `all of them` are none. */
const NAME = /\d|(?:^|\s)[A-Z][A-Z-]{1,9}$/;
/** `1/2 in shafts`: a measure. */
const MEASURE = /^[\d./\s-]+(?:in|inch|inches|mm|cm|ft|"|')(?:\s|$)/i;
const LONGEST = 60;
const MOST = 50;

/** Reads which machines a part fits by its description. */
export function readFits({ description = "" }: { description?: string }): string[] {
  const names = [...description.matchAll(SENTENCE)].flatMap(([, list = ""]) => list.split(SEPARATOR));
  const machines = names
    .map((name) => name.trim())
    .filter((name) => name.length <= LONGEST && NAME.test(name) && !MEASURE.test(name));
  return [...new Set(machines)].slice(0, MOST);
}
