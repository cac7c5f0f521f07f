import type { WholePart } from "@partline/client";
import { fill } from "../../shared/language.ts";
import type { ChosenMachine } from "../machine/chosen-machine.ts";
import type { Texts } from "../texts/en.ts";

/** What a page shows that the desk can be asked about. */
export interface DeskSubject {
  /** For people. */
  name: string;
  /** A part number with its maker. */
  part?: string;
  equipment?: string;
  /** Questions that this page's facts answer. */
  suggestions?: readonly string[];
}

/** Returns what the desk's `about` takes; the shopper's own machine is meant where the page shows none. */
export function toLookedAt(
  subject: Pick<DeskSubject, "part" | "equipment"> | undefined,
  machine: ChosenMachine | undefined,
) {
  const { part, equipment = machine?.equipment } = subject ?? {};
  return part === undefined && equipment === undefined ? undefined : { part, equipment };
}

/** Names a part as the desk knows it. */
export const namePart = ({ manufacturer, partNumber }: Pick<WholePart, "manufacturer" | "partNumber">): string =>
  `${manufacturer.name} ${partNumber}`;

/** Returns a part as the desk is asked about it. */
export function createPartSubject(
  part: WholePart,
  { texts, machine, isDrawn }: { texts: Texts; machine: ChosenMachine | undefined; isDrawn: boolean },
): DeskSubject {
  const { title, partNumber, fits = [], fitment } = part;
  const hasMachines = fits.length + fitment.length > 0;
  const names = { number: partNumber, machine: machine?.equipment ?? "" };
  const suggestions = [
    ...(machine ? [texts.deskTryFit] : []),
    ...(hasMachines && !machine ? [texts.deskTryMachines] : []),
    texts.deskTryStock,
    ...(isDrawn ? [texts.deskTryWith] : []),
  ];
  return {
    name: `${title} ${partNumber}`,
    part: namePart(part),
    suggestions: suggestions.map((text) => fill(text, names)),
  };
}
