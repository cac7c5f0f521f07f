import { getAt } from "@partline/toolkit";
import { NO_PAGE, UNKNOWN_OFFER, type FitmentRow, type FoundPart, type ManualLinks, type Offer } from "./port.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import type { Quote } from "./quotes.ts";
import { getTexts, renderText, type Texts } from "./texts.ts";
import { cleanText, cleanEquipmentName, isInstruction, cleanTitle } from "@partline/parts-language";

/**
 * What an answer may say: facts with ids. Sentences name them by placeholders (`For the {m1} you need {p1.quantity} of
 * {p1}.`), which the server fills in: nothing in an answer was not looked up.
 */

/** A place in a manual, with all equipment that the manual lists it for. */
export interface PartPlace extends Omit<FitmentRow, "equipment"> {
  equipment: string[];
}

export interface PartFact {
  id: string;
  part: FoundPart;
  offer: Offer;
  /** Those of the equipment that is asked about first. */
  places: PartPlace[];
}

/** In one spelling: `{P1}` and `{p01}` are no `{p1}`. */
const REFERENCE = /\{([mpqv][1-9]\d{0,2})(?:\.([a-zA-Z]+))?(?:\.([1-9]\d?))?\}/g;
/** Attributes of a part that belong to one of its places. */
const OF_PLACE: readonly string[] = ["quantity", "page", "figure", "place", "reference", "machine"];
/** Characters of a sentence around its placeholders. */
const LONGEST_SENTENCE = 300;
const ADDRESS = /:\/\/|\bwww\b|@|\p{L}\.\p{L}{2}|\[?\bdot\b\]?\s+(?:com|net|org)/iu;
const MARKUP = /[<>[\]`*_#|\\~^=]/;

export class Facts {
  readonly #links: ManualLinks;
  readonly #askedModels: readonly string[];
  readonly #parts: PartFact[] = [];
  readonly #machines: string[] = [];
  readonly #quotes: Quote[] = [];
  readonly #values: string[] = [];

  readonly #texts: Texts;

  /** @param models equipment that the question is about: its places are a part's first */
  constructor(links: ManualLinks, models: readonly string[], texts: Texts = getTexts("en")) {
    this.#links = links;
    this.#texts = texts;
    this.#askedModels = models;
    for (const equipment of models) this.addMachine(equipment);
  }

  get parts(): readonly PartFact[] {
    return this.#parts;
  }

  listMachines(): { id: string; name: string }[] {
    return this.#machines.map((equipment, index) => ({ id: `m${index + 1}`, name: cleanEquipmentName(equipment) }));
  }

  listQuotes(): { id: string; quote: Quote }[] {
    return this.#quotes.map((quote, index) => ({ id: `q${index + 1}`, quote }));
  }

  /** Adds a part with its offer. One that is there already keeps its id. */
  addPart(addPart: FoundPart, offer = UNKNOWN_OFFER): PartFact {
    const knownFact = this.#parts.find(
      (fact) => fact.part.pnNorm === addPart.pnNorm && fact.part.vendor === addPart.vendor,
    );
    if (knownFact) return knownFact;
    const places = groupPlaces(addPart.rows);
    const isAsked = ({ equipment }: PartPlace): boolean => equipment.some((name) => this.#askedModels.includes(name));
    const ordered = [...places.filter(isAsked), ...places.filter((place) => !isAsked(place))];
    for (const { equipment } of ordered) for (const name of equipment) this.addMachine(name);
    const fact = { id: `p${this.#parts.length + 1}`, part: addPart, offer, places: ordered };
    this.#parts.push(fact);
    return fact;
  }

  /** Adds a machine, unless it is there, and returns its placeholder. */
  addMachine(equipment: string): string {
    if (!this.#machines.includes(equipment)) this.#machines.push(equipment);
    return `{m${this.#machines.indexOf(equipment) + 1}}`;
  }

  addMachines(equipment: readonly string[]): string {
    return this.list(equipment.map((name) => this.addMachine(name)));
  }

  /** Formats `A, B and C`. */
  list(words: readonly string[]): string {
    return formatList(words, this.#texts.and);
  }

  /** Adds a line of a manual, unless it is there, and returns its placeholder. */
  addQuote(addQuote: Quote): string {
    const index = this.#quotes.findIndex(
      ({ sha256, page, line }) => sha256 === addQuote.sha256 && page === addQuote.page && line === addQuote.line,
    );
    if (index >= 0) return `{q${index + 1}}`;
    return `{q${this.#quotes.push(addQuote)}}`;
  }

  /** Adds a value that the server worked out (a sum, a count), and returns its placeholder. */
  addValue(text: string | number): string {
    return `{v${this.#values.push(String(text))}}`;
  }

  /** Fills in the placeholders of a sentence; unknown ones stay as they are. */
  fill(sentence: string): string {
    return sentence.replace(REFERENCE, (reference, id: string, attribute?: string, place?: string) => {
      return this.#resolveValue(id, attribute, place) ?? reference;
    });
  }

  findPartsIn(sentence: string): PartFact[] {
    const ids = [...sentence.matchAll(REFERENCE)].map(([, id]) => id);
    return [...new Set(ids)].flatMap((id) => this.#parts.find((fact) => fact.id === id) ?? []);
  }

  /** Finds what is wrong with a sentence from a model; undefined if it may be filled in and sent. */
  findFlaw(sentence: string): string | undefined {
    const references = [...sentence.matchAll(REFERENCE)].map(([, id, attribute, place]) => ({
      id: id!,
      attribute,
      place,
    }));
    const words = sentence.replace(REFERENCE, " ");
    if (!isPlain(words)) return "characters that are not seen";
    if (/\p{N}/u.test(words) || NUMBER_WORDS.test(words)) return "a number of its own";
    if (/\p{Sc}/u.test(words)) return "a price of its own";
    if (/[{}]/.test(words)) return "a placeholder of nothing that was found";
    if (ADDRESS.test(words)) return "an address";
    if (MARKUP.test(words)) return "markup";
    if (words.length > LONGEST_SENTENCE) return "too many words";
    if (isInstruction(words)) return "instructions";
    if (
      references.some(
        ({ id, attribute, place }) => id.startsWith("v") || this.#resolveValue(id, attribute, place) === undefined,
      )
    )
      return "a placeholder of nothing that was found";
    if (references.length === 0 && !/[?？]\s*$/u.test(sentence)) return "nothing that was found";
    return this.#findMixUp(references);
  }

  /** Finds an attribute that is not of the part named last before it, or a place of other equipment. */
  #findMixUp(references: readonly { id: string; attribute?: string; place?: string }[]): string | undefined {
    const machines = [
      ...new Set(
        references.filter(({ id }) => id.startsWith("m")).map(({ id }) => this.#machines[Number(id.slice(1)) - 1]!),
      ),
    ];
    const partReferences = references.filter(({ id }) => id.startsWith("p"));
    const isName = ({ attribute }: { attribute?: string }): boolean =>
      attribute === undefined || attribute === "number" || attribute === "name";
    for (const [index, reference] of partReferences.entries()) {
      const { places } = this.#parts[Number(reference.id.slice(1)) - 1]!;
      const expectedMachines = machines.length > 0 ? machines : this.#askedModels;
      if (isName(reference)) {
        if (machines.some((machine) => !places.some(({ equipment }) => equipment.includes(machine))))
          return "a part beside an equipment that it is not listed for";
        continue;
      }
      const subject = partReferences.slice(0, index).findLast(isName) ?? partReferences.slice(index).find(isName);
      if (subject?.id !== reference.id) return "a fact beside another part";
      if (!OF_PLACE.includes(reference.attribute!)) continue;
      const placeMachines = places[Number(reference.place ?? 1) - 1]!.equipment;
      const isOf =
        machines.length > 0
          ? expectedMachines.every((machine) => placeMachines.includes(machine))
          : expectedMachines.length === 0 || expectedMachines.some((machine) => placeMachines.includes(machine));
      if (!isOf) return "a place of other equipment";
    }
    return undefined;
  }

  #resolveValue(id: string, attribute: string | undefined, place: string | undefined): string | undefined {
    const index = Number(id.slice(1)) - 1;
    const [kind] = id;
    if (kind === "p") return this.#resolvePartValue(this.#parts[index], attribute, Number(place ?? 1) - 1);
    if (attribute !== undefined) return undefined;
    if (kind === "v") return this.#values[index];
    if (kind === "q") return this.#quotes[index] && formatQuote(this.#quotes[index], this.#links, this.#texts);
    return this.#machines[index] === undefined ? undefined : cleanEquipmentName(this.#machines[index]);
  }

  #resolvePartValue(fact: PartFact | undefined, attribute: string | undefined, place: number): string | undefined {
    if (!fact) return undefined;
    // An attribute may be called as what every object has.
    return Object.hasOwn(VALUES, attribute ?? "")
      ? VALUES[attribute ?? ""]?.(fact, fact.places[place], this.#texts)
      : undefined;
  }
}

type Value = (fact: PartFact, place: PartPlace | undefined, texts: Texts) => string | undefined;

const VALUES: Partial<Record<string, Value>> = {
  "": ({ part }) => formatPartName(part),
  number: ({ part }) => part.partNumber,
  name: ({ part }) => cleanTitle(part.description),
  replacedBy: ({ part }) => part.replacedBy,
  price: ({ offer: { price } }) => (price === null ? undefined : formatDollars(price)),
  stock: ({ offer }, _, texts) => formatStock(offer, texts),
  offer: ({ offer }, _, texts) => formatOffer(offer, texts),
  quantity: (_, place) => place?.quantity?.toString(),
  page: (_, place, texts) => place && renderText(texts, "page", { page: String(place.page) }),
  figure: (_, place) => place && cleanTitle(place.schema),
  reference: (_, place) => place?.reference,
  place: (_, place, texts) => place && formatPlace(place, texts),
  machine: (_, place, texts) => place && formatList(place.equipment.map(cleanEquipmentName), texts.and),
};

/** Groups rows by the place where they stand. */
export function groupPlaces(rows: readonly FitmentRow[]): PartPlace[] {
  const places = Map.groupBy(rows, ({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity].join("\n"));
  return [...places.values()].map((same) => ({
    ...getAt(same, 0),
    equipment: [...new Set(same.map(({ equipment }) => equipment))].filter((equipment) => equipment !== ""),
  }));
}

export function formatDollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** Formats `15964-8141 (Carburetor Assembly)`. */
export function formatPartName({ partNumber, description }: Pick<FoundPart, "partNumber" | "description">): string {
  const title = cleanTitle(description);
  return title === undefined ? partNumber : `${partNumber} (${title})`;
}

/** Formats `quantity 4, Figure 3: Mower Deck, page 7`. */
function formatPlace(
  { quantity, schema, page }: Pick<FitmentRow, "quantity" | "schema" | "page">,
  texts: Texts,
): string {
  const figure = cleanTitle(schema);
  return [
    ...(quantity === undefined ? [] : [renderText(texts, "quantity", { count: String(quantity) })]),
    ...(figure === undefined ? [] : [figure]),
    renderText(texts, "page", { page: String(page) }),
  ].join(", ");
}

function formatStock({ availability, stock }: Offer, texts: Texts): string {
  if (availability === "out_of_stock") return texts["out of stock"];
  if (availability !== "in_stock" && availability !== "low_stock") return texts["stock unknown"];
  return stock === null ? texts["in stock"] : renderText(texts, "so many in stock", { count: String(stock) });
}

/** Formats `$55.00, 12 in stock`. */
function formatOffer(offer: Offer, texts: Texts): string {
  if (offer.id === null) return texts[offer.supplierFailed ? "offer unknown" : "not in the catalog"];
  return [
    offer.price === null ? texts["no price"] : formatDollars(offer.price),
    ...(offer.status === "discontinued" ? [texts.discontinued] : []),
    formatStock(offer, texts),
  ].join(", ");
}

/** Formats `The GT-2254 manual, page 12: “Wheel nut 60 ft-lb” LINK`. A quoted line has no such marks. */
function formatQuote({ line, sha256, page, equipment }: Quote, links: ManualLinks, texts: Texts): string {
  if (page === NO_PAGE) return renderText(texts, "document says", { line });
  const machine = cleanEquipmentName(equipment);
  return `${renderText(texts, "manual says", { machine, page: String(page), line })} ${links.pdf(sha256, page)}`;
}

/** Formats `A`, `A and B`, `A, B and C`. */
export function formatList(words: readonly string[], and: string): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${and} ${getAt(words, -1)}`;
}

/** Returns whether a text has only visible characters, letters and digits in their plain forms. */
function isPlain(words: string): boolean {
  const plain = words
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
  return cleanText(words) === plain;
}
