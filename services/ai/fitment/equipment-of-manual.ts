import type { ManualFile, ModelQuantity } from "@partline/manual-reader";
import { toModelKey, Models } from "@partline/parts-search";

/** Returns a manual's models, each in its first spelling; its title if it names none. */
export function resolveEquipment({
  equipment,
  title,
  filename,
}: Pick<ManualFile, "equipment" | "title" | "filename">): string[] {
  const names = equipment.map((name) => name.trim()).filter((name) => name !== "");
  const models = [...Map.groupBy(names, (name) => toModelKey(name) || name).values()].map(([first]) => first!);
  return models.length > 0 ? models : [title.trim() || filename.replace(/\.pdf$/i, "")];
}

/** Returns whether a manual names no machine, and goes by its title. */
export function isNamedByTitle({
  equipment,
  title,
  filename,
}: Pick<ManualFile, "title" | "filename"> & { equipment: readonly string[] }): boolean {
  const [name] = equipment;
  return equipment.length === 1 && name === resolveEquipment({ equipment: [], title, filename })[0];
}

/** The equipment of a manual. */
export type EquipmentOfManual = Pick<ManualFile, "manufacturer"> & { equipment: readonly string[] };

/**
 * Maps models named on a page to models of the manual; undefined is all. A model of its engine is none, and a page that
 * names codes alone is for all: in `F115TR (68V7)` the maker's code is beside the model.
 * @param title of the manual
 */
export function createModelNarrower(
  manual: EquipmentOfManual,
  title = "",
): (models: readonly string[]) => string[] | undefined {
  const knownModels = createModels(manual);
  const shapes = new Set([...findCodes(knownModels, title)].map(toShape));
  const codes = new Set(manual.equipment.filter((name) => shapes.has(toShape(name))));
  return (models) => {
    const equipmentNames = new Set(
      models.flatMap((model) => knownModels.findNamedIn(model)).map(({ equipment }) => equipment),
    );
    const isOfAll =
      equipmentNames.size === manual.equipment.length || [...equipmentNames].every((name) => codes.has(name));
    return equipmentNames.size === 0 || isOfAll ? undefined : [...equipmentNames];
  };
}

/** Finds the maker's codes beside models in a manual's title: the brackets of `F115TR (68V7)`. */
function findCodes(knownModels: Models, title: string): Set<string> {
  const inBrackets = [...title.matchAll(/(?<=\S\s*)\(([^()]+)\)/g)].map(([, words = ""]) => words);
  return new Set(inBrackets.flatMap((words) => knownModels.findNamed(words)).map(({ equipment }) => equipment));
}

/** Returns what a name is made of, the same for two codes: `99A9` of `68V7` and `68W7`. */
function toShape(name: string): string {
  return name.replace(/\d/g, "9").replace(/\p{L}/gu, "A");
}

export type QuantityOfModels = ReturnType<typeof createQuantityResolver>;

/**
 * Maps a row's quantities to models of the manual; undefined if the row names none of them. A model without a column
 * does not have the part, unless the columns are headed by codes, which stand for the models.
 */
export function createQuantityResolver(manual: EquipmentOfManual, title = "") {
  const knownModels = createModels(manual);
  const codes = findCodes(knownModels, title);
  return (quantities: readonly ModelQuantity[]): Map<string, number | undefined> | undefined => {
    const entries = quantities.flatMap(({ model, quantity }) =>
      knownModels.findNamedIn(model).map(({ equipment }) => [equipment, quantity] as const),
    );
    const codeEntry = entries.find(([equipment]) => codes.has(equipment));
    const modelEntries = codeEntry ? manual.equipment.map((equipment) => [equipment, codeEntry[1]] as const) : [];
    const allEntries = [...new Map([...modelEntries, ...entries])];
    return entries.length === 0 ? undefined : new Map(allEntries.filter(([, quantity]) => quantity !== 0));
  };
}

function createModels({ equipment, manufacturer }: EquipmentOfManual): Models {
  return new Models(equipment.map((name) => ({ equipment: name, manufacturer })));
}
