/** A machine that parts of a catalog fit. */
export interface CatalogMachine {
  /** Name as the catalog writes it. */
  name: string;
  /** The vendor of its parts. */
  maker: string;
}

/** That a catalog says what a part fits: in its description, or in the data of its price file or supplier. */
export interface CatalogFit {
  /** Name as the catalog writes it. */
  machine: string;
  source: "description" | "listing";
}

/** A sentence on what a part fits, up to its end: `Fits Command CH25 and Confidant ZT720.` */
const SENTENCE =
  /(?:^|[.;]\s+)(?:also )?(?:fits|compatible with|suitable for)(?: models?)?:? +(.+?)(?=\.(?:\s|$)|;|$)/giu;
const SEPARATOR = /\s*[,/]\s+(?:and |or )?| and | or | & (?=.*\d)/;
/** A name has a digit or is an abbreviation; `most mowers` and `all of them` are none. */
const NAME = /\d|(?:^|\s)[A-Z][A-Z-]{1,9}$/;
/** `1/2 in shafts`: a measure. */
const MEASURE = /^[\d./\s-]+(?:in|inch|inches|mm|cm|ft|"|')(?:\s|$)/i;
/** Characters of a machine's name. */
export const LONGEST_MACHINE = 60;
const MOST = 50;

/** Reads which machines a part fits by its description. */
export function readFits({ description = "" }: { description?: string }): string[] {
  const names = [...description.matchAll(SENTENCE)].flatMap(([, list = ""]) => list.split(SEPARATOR));
  const machines = names
    .map((name) => name.trim())
    .filter((name) => name.length <= LONGEST_MACHINE && NAME.test(name) && !MEASURE.test(name));
  return [...new Set(machines)].slice(0, MOST);
}

/** Lists what the catalog says that a part fits, each machine once. @param fits those of its data, or all */
export function listFits({ description, fits = [] }: { description?: string; fits?: readonly string[] }): CatalogFit[] {
  const described = readFits({ description });
  return [
    ...described.map((machine) => ({ machine, source: "description" as const })),
    ...fits
      .filter((machine) => !described.includes(machine))
      .map((machine) => ({ machine, source: "listing" as const })),
  ];
}
