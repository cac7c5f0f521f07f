import type { ManualLinks } from "../../shared/manual-links.ts";
import { NO_PAGE, UNKNOWN_OFFER, type FitmentRow, type FoundPart, type Offer } from "./port.ts";
import type { Quote } from "./quotes.ts";
import { cleanText, equipmentName, isInstruction, titleOf } from "@partline/parts-language";

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
/** Numbers in words; of other languages the commonest. */
const NUMBER_WORDS =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\p{L}*(?:zehn|zwanzig|dreißig|vierzig|fünfzig)|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta|cien|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|quinze|vingt|trente|cent|mille)\b/iu;

export class Facts {
  readonly #links: Pick<ManualLinks, "pdf">;
  readonly #asked: readonly string[];
  readonly #parts: PartFact[] = [];
  readonly #machines: string[] = [];
  readonly #quotes: Quote[] = [];
  readonly #values: string[] = [];

  /** @param asked equipment that the question is about: its places are a part's first */
  constructor(links: Pick<ManualLinks, "pdf">, asked: readonly string[]) {
    this.#links = links;
    this.#asked = asked;
    for (const equipment of asked) this.machine(equipment);
  }

  get parts(): readonly PartFact[] {
    return this.#parts;
  }

  machineNames(): { id: string; name: string }[] {
    return this.#machines.map((equipment, at) => ({ id: `m${at + 1}`, name: equipmentName(equipment) }));
  }

  quotes(): { id: string; quote: Quote }[] {
    return this.#quotes.map((quote, at) => ({ id: `q${at + 1}`, quote }));
  }

  /** A part, with what it costs. One that is known already keeps its id. */
  part(part: FoundPart, offer = UNKNOWN_OFFER): PartFact {
    const known = this.#parts.find((fact) => fact.part.pnNorm === part.pnNorm && fact.part.vendor === part.vendor);
    if (known) return known;
    const places = placesOf(part.rows);
    const isAsked = ({ equipment }: PartPlace): boolean => equipment.some((each) => this.#asked.includes(each));
    const ordered = [...places.filter(isAsked), ...places.filter((place) => !isAsked(place))];
    for (const { equipment } of ordered) for (const each of equipment) this.machine(each);
    const fact = { id: `p${this.#parts.length + 1}`, part, offer, places: ordered };
    this.#parts.push(fact);
    return fact;
  }

  /** The placeholder of an equipment. */
  machine(equipment: string): string {
    if (!this.#machines.includes(equipment)) this.#machines.push(equipment);
    return `{m${this.#machines.indexOf(equipment) + 1}}`;
  }

  machines(equipment: readonly string[]): string {
    return listed(equipment.map((each) => this.machine(each)));
  }

  /** The placeholder of a line of a manual. */
  quote(quote: Quote): string {
    const at = this.#quotes.findIndex(
      ({ sha256, page, line }) => sha256 === quote.sha256 && page === quote.page && line === quote.line,
    );
    if (at >= 0) return `{q${at + 1}}`;
    return `{q${this.#quotes.push(quote)}}`;
  }

  /** The placeholder of something that the server worked out: a sum, a count. */
  value(text: string | number): string {
    return `{v${this.#values.push(String(text))}}`;
  }

  /** A sentence with its placeholders filled in; those of nothing stay as they are. */
  fill(sentence: string): string {
    return sentence.replace(REFERENCE, (reference, id: string, attribute?: string, place?: string) => {
      return this.#valueOf(id, attribute, place) ?? reference;
    });
  }

  partsIn(sentence: string): PartFact[] {
    const ids = [...sentence.matchAll(REFERENCE)].map(([, id]) => id);
    return [...new Set(ids)].flatMap((id) => this.#parts.find((fact) => fact.id === id) ?? []);
  }

  /** What is wrong with a sentence of somebody else's; undefined if it may be filled in and sent. */
  flawOf(sentence: string): string | undefined {
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
        ({ id, attribute, place }) => id.startsWith("v") || this.#valueOf(id, attribute, place) === undefined,
      )
    )
      return "a placeholder of nothing that was found";
    if (references.length === 0 && !/[?？]\s*$/u.test(sentence)) return "nothing that was found";
    return this.#mixUpIn(references);
  }

  /** An attribute must be of the part named last before it, a place of the equipment that is named. */
  #mixUpIn(references: readonly { id: string; attribute?: string; place?: string }[]): string | undefined {
    const machines = [
      ...new Set(
        references.filter(({ id }) => id.startsWith("m")).map(({ id }) => this.#machines[Number(id.slice(1)) - 1]!),
      ),
    ];
    const named = references.filter(({ id }) => id.startsWith("p"));
    const isName = ({ attribute }: { attribute?: string }): boolean =>
      attribute === undefined || attribute === "number" || attribute === "name";
    for (const [at, reference] of named.entries()) {
      const { places } = this.#parts[Number(reference.id.slice(1)) - 1]!;
      const of = machines.length > 0 ? machines : this.#asked;
      if (isName(reference)) {
        if (machines.some((machine) => !places.some(({ equipment }) => equipment.includes(machine))))
          return "a part beside an equipment that it is not listed for";
        continue;
      }
      const before = named.slice(0, at).findLast(isName) ?? named.slice(at).find(isName);
      if (before?.id !== reference.id) return "a fact beside another part";
      if (!OF_PLACE.includes(reference.attribute!)) continue;
      const own = places[Number(reference.place ?? 1) - 1]!.equipment;
      const isOf =
        machines.length > 0
          ? of.every((machine) => own.includes(machine))
          : of.length === 0 || of.some((machine) => own.includes(machine));
      if (!isOf) return "a place of other equipment";
    }
    return undefined;
  }

  #valueOf(id: string, attribute: string | undefined, place: string | undefined): string | undefined {
    const at = Number(id.slice(1)) - 1;
    const [kind] = id;
    if (kind === "p") return this.#partValue(this.#parts[at], attribute, Number(place ?? 1) - 1);
    if (attribute !== undefined) return undefined;
    if (kind === "v") return this.#values[at];
    if (kind === "q") return this.#quotes[at] && quoteSaid(this.#quotes[at], this.#links);
    return this.#machines[at] === undefined ? undefined : equipmentName(this.#machines[at]);
  }

  #partValue(fact: PartFact | undefined, attribute: string | undefined, place: number): string | undefined {
    if (!fact) return undefined;
    // An attribute may be called as what every object has.
    return Object.hasOwn(VALUES, attribute ?? "") ? VALUES[attribute ?? ""]!(fact, fact.places[place]) : undefined;
  }
}

type Value = (fact: PartFact, place: PartPlace | undefined) => string | undefined;

const VALUES: Partial<Record<string, Value>> = {
  "": ({ part }) => nameOf(part),
  number: ({ part }) => part.partNumber,
  name: ({ part }) => titleOf(part.description),
  replacedBy: ({ part }) => part.replacedBy,
  price: ({ offer: { price } }) => (price === null ? undefined : dollars(price)),
  stock: ({ offer }) => stockOf(offer),
  offer: ({ offer }) => offerOf(offer),
  quantity: (_, at) => at?.quantity?.toString(),
  page: (_, at) => at && `page ${at.page}`,
  figure: (_, at) => at && titleOf(at.schema),
  reference: (_, at) => at?.reference,
  place: (_, at) => at && placeOf(at),
  machine: (_, at) => at && listed(at.equipment.map(equipmentName)),
};

/** Where rows stand, each place once. */
export function placesOf(rows: readonly FitmentRow[]): PartPlace[] {
  const places = Map.groupBy(rows, ({ sha256, page, schema, quantity }) => [sha256, page, schema, quantity].join("\n"));
  return [...places.values()].map((same) => ({
    ...same[0]!,
    equipment: [...new Set(same.map(({ equipment }) => equipment))].filter((equipment) => equipment !== ""),
  }));
}

export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** `15964-8141 (Carburetor Assembly)`. */
export function nameOf({ partNumber, description }: Pick<FoundPart, "partNumber" | "description">): string {
  const title = titleOf(description);
  return title === undefined ? partNumber : `${partNumber} (${title})`;
}

/** `quantity 4, Figure 3: Mower Deck, page 7`. */
function placeOf({ quantity, schema, page }: Pick<FitmentRow, "quantity" | "schema" | "page">): string {
  const figure = titleOf(schema);
  return [
    ...(quantity === undefined ? [] : [`quantity ${quantity}`]),
    ...(figure === undefined ? [] : [figure]),
    `page ${page}`,
  ].join(", ");
}

function stockOf({ availability, stock }: Offer): string {
  if (availability === "out_of_stock") return "out of stock";
  if (availability !== "in_stock" && availability !== "low_stock") return "stock not known";
  return stock === null ? "in stock" : `${stock} in stock`;
}

/** `$55.00, 12 in stock`. */
function offerOf(offer: Offer): string {
  if (offer.id === null) return offer.supplierFailed ? "price and stock not known" : "not in the catalog";
  return [
    offer.price === null ? "no price known" : dollars(offer.price),
    ...(offer.status === "discontinued" ? ["discontinued"] : []),
    stockOf(offer),
  ].join(", ");
}

/** `The GT-2254 manual, page 12: “Wheel nut 60 ft-lb” LINK`. A quoted line has no such marks. */
function quoteSaid({ line, sha256, page, equipment }: Quote, links: Pick<ManualLinks, "pdf">): string {
  if (page === NO_PAGE) return `A document of the shop: “${line}”`;
  return `The ${equipmentName(equipment)} manual, page ${page}: “${line}” ${links.pdf(sha256, page)}`;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
}

/** Nothing that is not seen, and no letter or digit in another form than the plain one. */
function isPlain(words: string): boolean {
  const plain = words
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
  return cleanText(words) === plain;
}
