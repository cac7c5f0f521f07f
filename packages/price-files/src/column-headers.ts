import { foldHeader, HEADER_WORDS, joinHeaderWords } from "@partline/parts-language/terms";

const { count: COUNT, code: CODE, part: PART, of: OF, quantity: QUANTITY, maker: MAKER } = HEADER_WORDS;

/** What a column of a price list is, with the better of two the lower rank. */
export type ListRole =
  | "partNumber"
  | "title"
  | "description"
  | "price"
  | "currency"
  | "stock"
  | "reorderPoint"
  | "weight"
  | "brand"
  | "barcode"
  | "replacement"
  | "coreCharge"
  | "priceGroup";

const PRICE = joinHeaderWords(
  String.raw`[\p{L}]*preise? prices? listino tarif tarifa pricing prix precios? preco precos prezzo prezzi \p{L}*prijs \p{L}*pris \p{L}*hinta ceny? cena (?:lista|eladasi|brutto|netto|fogyasztoi|egyseg)?ar pret fiyati? цена цены ціна стоимость вартість τιμη \p{L}*価格\p{L}* \p{L}*定価\p{L}* 単価 \p{L}*单价 \p{L}*价格 \p{L}*價格 售价 零售价 \p{L}*가격 단가 mrp msrp rrp uvp srp pvp pvr vk list retail розница розничная роздріб`,
);
const SALE = joinHeaderWords(
  String.raw`list liste listino listen\p{L}* retail mrp msrp rrp uvp srp sell selling sales? vk vk[\p{L}]* verkaufs?\p{L}* endkunden\p{L}* public publico pubblico consigliat[oi] conseilles? recomendad[oa]s? recommended suggested empfohlen\p{L}* unverbindlich\p{L}* venta vendita vente pvp pvr consumer catalogo katalogowa розничная розн розница продажи? роздрібна роздріб detaliczna sprzedazy prodejni verkoop\p{L}* adviesprijs utpris salgspris eladasi\p{L}* satis 定価 小売 希望 販売 \p{L}*定価\p{L}* \p{L}*販売\p{L}* 售价 零售价 소비자가격? 판매가격?`,
);
/** Of a price, where no word says that it is one. */
const LISTED = joinHeaderWords("listas? listes? lists?");
const CUSTOMERS = joinHeaderWords("retail public publico pubblico consumer consumidor");
const PAID_WORDS = String.raw`costs? detallistas? mayoristas? distribuidor(?:es)? revendeurs? revenda ek ek[\p{L}]* einkaufs?\p{L}* purchase buy buying dealer wholesale trade rivenditor[ei] concessionari[oi]? concessionnaires? concesionarios? handler(?:preis|ek|netto)\p{L}* haendler(?:preis|ek|netto)\p{L}* forhandlerpris aterforsaljarpris dealerprijs bayi дилер\p{L}* achat compra costo coste custo acquisto inkoop\p{L}* inkops?\p{L}* kob\p{L}* опт оптовая закуп закупочная закупка закупівельна zakupu? nakup nakupni hurtowa beszerzesi\p{L}* alis 仕入\p{L}* 原価 卸\p{L}* 进价 成本\p{L}* 批发\p{L}* 매입\p{L}* 도매\p{L}*`;
const PAID = joinHeaderWords(PAID_WORDS);
const COST = joinHeaderWords(String.raw`${PAID_WORDS} net netto\p{L}*`);
const STOCK = joinHeaderWords(
  String.raw`stock inventory inventario on_hand onhand qoh soh lagerbestand bestand lager verfugbar(?:keit)? disponibles? disponive(?:l|is) disponibili(?:te|dade?) dostepn\p{L}* dostupn\p{L}* beschikbaar\p{L}* tillganglig\p{L}* tilgjengelig\p{L}* lagernd auf_lager en_stock existencias? estoque giacenza disponibilita magazzino voorraad lagersaldo saldo (?:lager)?beholdning varasto stan stany skladem sklad zasoba keszlet stoc disponibil[ei]? stok остаток остатки наличие склад залишок залишки наявність αποθεμα 在庫\p{L}* 库存\p{L}* 庫存 재고\p{L}* avail available availability balance`,
);
const REORDER = joinHeaderWords(
  "meldebestand bestellpunkt bestelpunt reorder reorder_(?:at|point|level) punto_de_(?:pedido|reposicion) punto_di_riordino seuil_de_(?:commande|reapprovisionnement)",
);
const WEIGHT = joinHeaderWords(
  String.raw`weight wt \p{L}*gewicht poids peso vikt vekt vaegt paino waga hmotnost suly tomeg greutate agirlik вес вага масса маса βαρος 重量 重さ 质量 무게 중량`,
);
const SUPPLIER = joinHeaderWords(
  "supplier lieferant fournisseur proveedor fornecedor fornitore leverancier leverantor leverandor toimittaja dostawca dodavatel szallito furnizor tedarikci поставщик постачальник 仕入先 供应商 공급사",
);
const BARCODE = joinHeaderWords(
  String.raw`\p{L}*_?barcode ean ean_?\d+ upc gtin jan strichcode code[-_]?barres? codebarre codigo_de_barras codice_a_barre streepjescode streckkod strekkode viivakoodi kod_kreskowy carovy_kod vonalkod cod_de_bare barkodu? штрихкод штрих-код バーコード janコード 条码 條碼 条形码 바코드`,
);
const CORE = joinHeaderWords(
  "core(?:_(?:charge|deposit|value|price))? deposit pfand pfandwert altteil\\p{L}* consigne casco deposito statiegeld pant kaucja залог залоговая",
);
const PRICE_GROUP = joinHeaderWords(
  "(?:price|pricing|discount|rebate)_(?:group|code|class|category) preisgruppe rabattgruppe rabattcode rabattklasse code_remise famille_remise grupo_de_(?:precios?|descuento) gruppo_(?:prezzo|sconto) kortingsgroep prijsgroep rabattgrupp prisgruppe rabatgruppe grupa_(?:cenowa|rabatowa) ценовая_группа группа_скидки 価格区分 掛率",
);
const CURRENCY = joinHeaderWords(
  "currency curr wahrung devise moneda divisa moeda valuta waluta mena penznem para_birimi doviz валюта νομισμα 通貨 币种 貨幣 통화",
);
/** Another's number, or one that the file has beside the part's. */
const OTHERS =
  /(?:^| )(?:alternate|alternative|alt|old|former|previous|cross|competitors?|makers?|suppliers?|superseded|alte?|ancien|antiguo|vendor|lieferanten?\p{L}*|kunden\p{L}*|customer|gtin|koli|image|photo|bild|фото)(?: |$)/u;
const OTHER_MAKER = /(?:^| )(?:alternate|alternative|alt|old|former|previous|cross|competitors?)(?: |$)/;

const LAST_RANK = 3;
/** From here on, a header may name something of others. */
export const OTHERS_RANK = 5;

type Rule = readonly [role: ListRole, rank: number, pattern: RegExp];
const matchWhole = (pattern: string): RegExp => new RegExp(`^${pattern}$`, "u");
const matchWithin = (pattern: string): RegExp => new RegExp(`(?:^| )${pattern}(?: |$)`, "u");
/** What a part is for: `marca_compatible`, `Compatible with`. */
const COMPATIBLE = matchWithin(String.raw`[ck]ompatib\p{L}*`);
/** What a name may be of, other than a part: `PromoName`, `proveedor_nombre`. */
const OTHERS_NAME = matchWithin(
  `(?:${SUPPLIER}|${MAKER}|promo(?:tion)?|vendor|customer|client|kunden?|category|categoria|kategorie|group|store|warehouse|user|file|sheet)`,
);

/** The first that fits decides. */
const RULES: readonly Rule[] = [
  ["replacement", 0, matchWithin(HEADER_WORDS.replacement)],
  ["priceGroup", 0, matchWithin(PRICE_GROUP)],
  ["coreCharge", 0, new RegExp(`^${CORE}(?: ${PRICE})?$`, "u")],
  ["barcode", 0, matchWhole(`(?:${BARCODE})(?: (?:${COUNT}|${CODE}))?`)],
  ["barcode", 1, matchWithin(BARCODE)],
  ["currency", 0, matchWhole(`(?:${PRICE} )?${CURRENCY}(?: (?:${CODE}|${OF}${PRICE}))?`)],
  // `Cena sprzedaży (netto)`: net of tax.
  ["price", 1, new RegExp(`^(?=.*(?:^| )${COST}(?: |$))(?=.*(?:^| )${SALE}(?: |$))(?=.*(?:^| )${PRICE}(?: |$))`, "u")],
  ["price", 2, new RegExp(`^(?=.*(?:^| )${COST}(?: |$))(?=.*(?:^| )(?:${PRICE}|${COST})(?: |$))`, "u")],
  ["price", 0, new RegExp(`^(?=.*(?:^| )${SALE}(?: |$))(?=.*(?:^| )${PRICE}(?: |$))`, "u")],
  ["price", 1, matchWithin(PRICE)],
  // `Público 800 Lista 1`
  ["price", 1, new RegExp(`^(?=.*(?:^| )${CUSTOMERS}(?: |$))(?=.*(?:^| )${LISTED}(?: |$))`, "u")],
  ["weight", 0, matchWithin(WEIGHT)],
  ["partNumber", 0, matchWhole(`(?:${HEADER_WORDS.partNumber})`)],
  ["partNumber", 1, new RegExp(String.raw`^(?:\S+ ){0,3}${HEADER_WORDS.partNumber}(?: .*)?$`, "u")],
  ["reorderPoint", 0, matchWhole(REORDER)],
  ["stock", 0, matchWithin(STOCK)],
  ["brand", 0, matchWithin(MAKER)],
  ["stock", 1, matchWithin(QUANTITY)],
  ["title", 0, matchWithin(HEADER_WORDS.name)],
  ["title", 0, /^(?:artikel|produkt|teile?)(?:text|bezeichnung|benennung|name)$/u],
  ["title", 1, matchWhole(HEADER_WORDS.description)],
  ["title", 2, matchWithin(HEADER_WORDS.description)],
  [
    "title",
    3,
    matchWhole(
      "(?:part|parts|pieza|piece|piesa|repuesto|ersatzteil|ricambio|item|product|produkt|artikel|article|articulo|articolo|texte?|texto|testo|товар|деталь|запчасть|商品|部品)",
    ),
  ],
  ["partNumber", 2, matchWhole(`(?:id ${OF}${PART}|${PART} id)`)],
  [
    "partNumber",
    2,
    matchWhole(
      `(?:${CODE}|${COUNT}|id|identifi(?:ant|er)|identifica(?:dor|tivo)|parts?|indeks|symbol|clave|артикул №)`,
    ),
  ],
  ["brand", 1, matchWithin(SUPPLIER)],
  ["price", LAST_RANK, matchWithin(`(?:${LISTED}|${CUSTOMERS})`)],
];

/** Of a quantity, those that are not in the store. */
const NOT_IN_STOCK =
  /(?:^| )(?:used|sold|min|max|minim(?:um|o|a|ale?)|mindest\p{L}*|packs?|packages?|pkgs?|pks?|case|carton|ctn|std|moq|order|ordered|future?|futur[aoe]s?|verpackung\p{L}*|per|box)(?: |$)/u;
const LONGEST_HEADER = 100;
const YOUR = joinHeaderWords("your ihre? dein il_(?:tuo|vostro|suo) tuo votre ton su tu seu uw din twoja vase ваша");
/** Beside the word for a price, whether or not the shop pays it. */
const AMOUNT = "(?:net|netto|each|ea|unit|usd|eur)";
/** A bare `Net` may be net of tax. */
const IS_COST = matchWhole(
  `(?:(?:(?:${YOUR}|our|my|net|unit|${PRICE}|d) )*${OF}${PAID}(?: (?:${PRICE}|${PAID}|${AMOUNT}))*|${YOUR} ${PRICE}(?: ${AMOUNT})*)`,
);
const IS_PRICE = matchWhole(`(?:${AMOUNT} )*${PRICE}(?: ${AMOUNT})*`);
const IS_SALE = matchWithin(SALE);

/**
 * Whether the header is one of what the shop itself pays: `Dealer Net`, `Your Cost`, `EK`; `Prezzo` beside a price for
 * customers, `Listino`.
 */
export function isCostHeader(header: string, priceHeader = ""): boolean {
  const words = toHeaderWords(header);
  if (IS_COST.test(words)) return true;
  return IS_PRICE.test(words) && !IS_SALE.test(words) && IS_SALE.test(toHeaderWords(priceHeader));
}

const MAY_NUMBER = [
  matchWhole("(?:items?|parts?|material(?:es)?|product|produkt|artikel|article|articulo|articolo|artigo|товар)"),
  matchWhole("(?:models?|modell[eo]?|modeles?|modelos?|модель|型番|型号|型號|모델)"),
];

/**
 * Returns which of these headers is one of numbers if no other of their list is, and another is one of names:
 * `Artikel`, else `Model`; -1 if none is.
 */
export function findPossibleNumber(headers: readonly string[]): number {
  const places = MAY_NUMBER.map((pattern) => headers.findIndex((header) => pattern.test(toHeaderWords(header))));
  return places.find((place) => place !== -1) ?? -1;
}

/** Says what a column of a price list is by its header, and how well the header says so: 0 is best. */
export function rankHeader(header: string): { role: ListRole; rank: number } | undefined {
  const words = toHeaderWords(header);
  if (words === "" || words.length > LONGEST_HEADER || COMPATIBLE.test(words)) return undefined;
  const [role, rank] = RULES.find(([, , pattern]) => pattern.test(words)) ?? [];
  // `€ excl. VAT`
  if (role === undefined || rank === undefined)
    return /\p{Sc}/u.test(header) ? { role: "price", rank: LAST_RANK } : undefined;
  if (role === "stock" && NOT_IN_STOCK.test(words)) return undefined;
  // `Public $`
  if (role === "price" && rank === LAST_RANK && /\p{Sc}/u.test(header)) return { role, rank: 1 };
  const isOthers =
    (role === "partNumber" && OTHERS.test(words)) ||
    (role === "brand" && OTHER_MAKER.test(words)) ||
    (role === "title" && OTHERS_NAME.test(words));
  return { role, rank: isOthers ? rank + OTHERS_RANK : rank };
}

/** `EKPreis` is two words, `price_sell`, `Artikeltext1` and `Price/unit` too; `P.V.P.` is one. */
function toHeaderWords(header: string): string {
  const parted = header
    .replace(/(?<!\p{L})(?:\p{L}\.){2,}\p{L}?(?!\p{L})/gu, (letters) => letters.replaceAll(".", ""))
    .replace(/(?<=\p{L}{3})\/(?=\p{L}{2})/gu, " ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\d)/gu, "$1 $2");
  return foldHeader(parted)
    .replace(/[^\p{L}\p{N}#/°№-]+/gu, " ")
    .replace(/ ?- ?/g, "-")
    .replace(/ \d+$/, "")
    .trim();
}
