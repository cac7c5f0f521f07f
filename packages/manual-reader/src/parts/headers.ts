import { foldHeader as fold, HEADER_WORDS, joinHeaderWords as joinWords } from "@partline/parts-language/terms";
import { memoizeRecent } from "@partline/toolkit";

export type Role = "partNumber" | "quantity" | "description" | "reference" | "replacement" | "other";

const { count: COUNT, code: CODE, partNumber: PART_NUMBER, glued: GLUED, alone: ALONE } = HEADER_WORDS;
const NUMBER = `(?:${COUNT}|${CODE})`;

/** Also as a list of parts says it: a price list's `units` are none. */
const QUANTITY = `(?:${HEADER_WORDS.quantity}|${joinWords(
  "qnty quan q'?ty qte quantites? qtde? cant cdad ctd uds q_ta qta pz stuck stk st pcs pieces count units? amount amt am't nb nbre stuks hoeveelheid kpl lkm maara szt sztuk pocet ks db darab buc шт к-сть τεμ 員数 使用個数 件数 개수",
)})`;
const REFERENCE = joinWords(
  "ref reference key index item ill(?:us)? illustration pos(?:ition|icion|icao|izione|itie)? callout balloon bubble fig(?:ure|ura)? rep(?:ere)? bild bildnr id symbol map diagram dia ln line rif riferimento kohta viite poz pozycja pozice pozicia lp tetel sorszam reper sira поз позиция позиція θεση 見出番号 符号 照号 図番 番号 序号 序號 图号 項次 项次 位号 순번 번호 기호",
);
const DESCRIPTION = `(?:${HEADER_WORDS.name}|${HEADER_WORDS.description})`;

/** Words before another header are two headers: `Qty Stock No.` */
const QUALIFIER = String.raw`(?!(?:${QUANTITY}|${REFERENCE}|${COUNT}) )(?:\S+ ){1,3}`;
/** Behind a word for descriptions, one for numbers is a part of these: `Description R/S Part No.` */
const NAMED = `(?!${HEADER_WORDS.description} )`;

const MAKERS_NUMBER = new RegExp(
  `^(?:${NUMBER} (?:de |du |del |do |di )?${HEADER_WORDS.maker}|${HEADER_WORDS.maker}(?:'s)? (?:parts? |item )?${NUMBER})$`,
  "u",
);

/** The first match decides. */
const HEADERS: readonly (readonly [Role, RegExp])[] = [
  [
    "replacement",
    /\b(?:replaced by|ersetzt durch|ersatz durch|reemplazado por|sustituido por|substituido por|remplace par|sostituito da|vervangen door|ersatt av|zastapiony przez|neue (?:teile|bestell|artikel) ?-? ?(?:nr|nummer)|replacements?|superseded by|supersession|supersedes? to|new (?:part|p\/n|pn|number|no)|substitutes?|current (?:part|number)|use part|now|superseding)\b/,
  ],
  [
    "other",
    /\b(?:wagen|fabrik|fahrgestell|fahrzeug|serien|rahmen|maschinen|inventar|chassis|frame|vehicle|wagon|fleet)[ -]?(?:nummer|nr|numbers?|no)\b|\bbaujahr\b|\b(?:serial|s\/n|vin|torque|thread|prices?|preis|prix|precio|preco|prezzo|prijs|cena|msrp|date|phone|tel|fax|page|seite|capacity|weight|gewicht|poids|pressure|model no|model number|(?:no|nr|numero|numer) (?:de |du |del |do )?mod\p{L}+|engine model|zip|postal|spec|standard|dimensions?|size|interval|hours|drawing|supersedes|replaces)\b|цена|価格|单价/u,
  ],
  [
    "quantity",
    new RegExp(
      String.raw`^(?:(?:total|order|unit|std) )?(?:${QUANTITY}|no used|used)(?: (?:per|pro|por|par|na|на|req'?d?|required|used|no|unit|assy|assembly|engine|machine|set|each|ea).*)?$|\b(?:req'?d|required|per unit|per (?:assy|assembly|machine|engine))\b|^no (?:req|off)\b|^(?:reqd|req)$`,
    ),
  ],
  [
    "reference",
    new RegExp(
      String.raw`^(?:${REFERENCE}|call out|fig & (?:item|index)|fig item)(?: (?:${COUNT}|item|letter|key))*$|^${COUNT} (?:de |di )?(?:${REFERENCE}|ordre|orden|ordem)$`,
    ),
  ],
  ["partNumber", MAKERS_NUMBER],
  // Of tools, and as the Russian standard for specifications has it.
  [
    "partNumber",
    new RegExp(
      String.raw`^(?:special )?(?:service )?(?:tool|sst|werkzeug|outil|herramienta)[ -]*${NUMBER}(?: .*)?$|^(?:best|ers|mat|et|e-teil)[ -]?${NUMBER}$|^тип марка(?: .*)?$`,
      "u",
    ),
  ],
  ["reference", /^поз обозначение$/],
  // Words before say whose number it is, words after of which model.
  ["partNumber", new RegExp(String.raw`^${NAMED}(?:${QUALIFIER})?${PART_NUMBER}(?!(?: \d{1,4})+$)(?: .*)?$`, "u")],
  [
    "partNumber",
    new RegExp(
      String.raw`^(?:(?:(?:manufacturer|mfr|mfg|maker)s?'? )?parts?|${CODE}|kit|numbers?|(?:old|former|original|previous|obsolete|discontinued) ${NUMBER})$`,
    ),
  ],
  [
    "description",
    new RegExp(
      String.raw`^(?:(?:item|parts?) |${QUALIFIER})?${DESCRIPTION}(?: .*)?$|^(?:title|component|part|tool|bauteil|teil|piece|pieza|peca|onderdeel|część|деталь)(?: .*)?$`,
    ),
  ],
  // A maker's, as `Worksaver #`.
  ["partNumber", /^(?!model|line|page|sheet|year|step)[\p{L}&-]{3,} #$/u],
];

/** Headers that are remembered as read: a manual's tables have the same, and each is weighed many times. */
const MOST_REMEMBERED = 2_000;
const LONGEST = 40;
const ONLY_NUMBER = new RegExp(`^${COUNT}$`);

/** Undefined for an unknown header. Of a header in two languages, `Pos. / Item`, either says which. */
export const findRole = memoizeRecent(MOST_REMEMBERED, roleOfHeader);

function roleOfHeader(header: string): Role | undefined {
  const words = toWords(header);
  if (words === "" || words.length > LONGEST) return undefined;
  if (ONLY_NUMBER.test(words)) return "reference";
  const role = HEADERS.find(([, pattern]) => pattern.test(words))?.[0];
  if (role !== undefined || !/[/|]/.test(header)) return role;
  const sides = header.split(/[/|]/);
  return sides.length > 1 ? sides.map((side) => findRole(side)).find((side) => side !== undefined) : undefined;
}

function toWords(header: string): string {
  // A word that goes on in the next line of its cell.
  return (
    fold(header.replace(/(?<=\p{L})-\s+(?=\p{Ll}{2})/gu, ""))
      .replace(/[^\p{L}\p{N}#&/°'’-]+/gu, " ")
      .replace(/’/g, "'")
      // `Art.-Nr.`
      .replace(/ -(?=\p{L})/gu, "-")
      // `- Pièce`
      .replace(/^[\s-]+|\s+$/g, "")
  );
}

/** Whether it heads numbers of the maker: `No. Fabricant`. */
export function isMakersNumber(header: string): boolean {
  return MAKERS_NUMBER.test(toWords(header));
}

/** Whether it heads numbers of items, as a shop counts its own: `Item No.` */
export function isItemNumber(header: string): boolean {
  return /(?:^| )items?(?: |$)/.test(toWords(header));
}

/** Whether it is a word for numbers alone: `No.`, of rows, or `Number`, of pieces. */
export function isBareNumber(header: string): boolean {
  return ONLY_NUMBER.test(toWords(header));
}

/** Whether it heads part numbers by a word alone, `Code`, which gives way to a header that says so. */
export function isVague(header: string): boolean {
  return findRole(header) === "partNumber" && /^\p{L}+$/u.test(header.trim()) && !ONLY_NUMBERS.test(fold(header));
}

const ONLY_NUMBERS = new RegExp(`^(?:${GLUED}|${ALONE})$`, "u");
const ENDS_IN_NUMBER = new RegExp(
  String.raw`(?:^| )(?:${COUNT}|${CODE}|${REFERENCE}|artikel|articulo|article|articolo|artigo|material|型番|型式|型号|型號)$`,
);
/** Numbers of machines, unless the list has no other. */
const OF_MACHINES = new RegExp(`^(?:serial|model) (?:${COUNT})$`);

/**
 * Whether the header may be one of part numbers if no other of its table is: `Item No.`, `HRS No.`, `Référence`,
 * `Replacement part number`.
 */
export const mayHeadNumbers = memoizeRecent(MOST_REMEMBERED, (header: string): boolean => {
  const role = findRole(header);
  const words = fold(header)
    .replace(/[.:\s]+/g, " ")
    .trim();
  const isOpen = role === undefined || role === "replacement";
  return role === "reference" || (isOpen && !/^\d/.test(words) && ENDS_IN_NUMBER.test(words));
});

/** Whether it may head the numbers of parts if those that are called so are positions: `型番`, `Serial Number`. */
export function mayHeadInstead(header: string): boolean {
  return OF_MACHINES.test(toWords(header)) || (findRole(header) !== "reference" && mayHeadNumbers(header));
}
