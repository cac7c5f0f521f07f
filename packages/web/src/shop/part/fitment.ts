import { isPartlineError, type Partline, type WholePart } from "@partline/client";

type Fit = WholePart["fitment"][number];

/** Whether a part fits a machine that a shopper asks about. */
export interface FitAnswer {
  /** As typed, or the machine's name. */
  name: string;
  /** Id of its page; undefined if the shop does not know the machine. */
  model?: string;
  equipment?: string;
  /** That the part fits it; undefined if nothing says so. */
  fit?: Fit;
}

const LONGEST_MODEL = 100;
const toPlain = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Returns what says that a part fits an equipment. */
export function findFit({ fitment }: Pick<WholePart, "fitment">, equipment: string): Fit | undefined {
  return fitment.find((fit) => toPlain(fit.equipment) === toPlain(equipment));
}

/** Says whether a part fits a machine as it was typed; undefined if none was. */
export async function checkFit(partline: Partline, part: WholePart, typed: string): Promise<FitAnswer | undefined> {
  const text = typed.trim().slice(0, LONGEST_MODEL);
  if (text === "") return undefined;
  const direct = findFit(part, text);
  const page = await partline.ai.fitmentModels({ q: text, pageSize: 1 }).catch((error: unknown) => {
    if (isPartlineError(error)) return undefined;
    throw error;
  });
  const model = page?.near ? undefined : page?.models[0];
  if (!model) return { name: text, ...(direct && { fit: direct }) };
  const { id, equipment, manufacturer } = model;
  const fit = direct ?? findFit(part, equipment);
  return { name: [manufacturer, equipment].filter(Boolean).join(" "), model: id, equipment, ...(fit && { fit }) };
}
