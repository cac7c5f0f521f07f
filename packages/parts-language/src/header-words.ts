/**
 * Words that head the columns of parts lists and price lists, in English, German, French, Spanish, Portuguese, Italian,
 * Dutch, Swedish, Norwegian, Danish, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Turkish, Russian, Ukrainian,
 * Greek, Japanese, Chinese and Korean. Each is a piece of a regular expression over folded text.
 */

/** Returns letters without accents, in lower case, as the words are compared. */
export function foldHeader(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ı", "i").toLowerCase();
}

/** Returns an alternation of words, which may hold patterns; `_` is a space. */
export function joinHeaderWords(words: string): string {
  const text = foldHeader(words).replaceAll(String.raw`\p{l}`, String.raw`\p{L}`);
  return `(?:${text.trim().split(/\s+/).join("|").replaceAll("_", " ")})`;
}

const COUNT = joinHeaderWords(
  "n[o0]s? nbrs? num(?:ber)?s? n[°]s? nrs? # nummern? numeros? numer numar nro cislo c szama? номера? αριθμος",
);
const CODE = joinHeaderWords("kod[yu]? код коды κωδικος cod codes? codigo codice refs? referen(?:ce|cia|za) p/n");
const PART = joinHeaderWords(
  "parts? pt pc kit stock ordering order catalog(?:ue)? assy assembly material product article art oem sku teile? bestell artikel prod prodotto ersatzteile? sach ident identifikations piece piezas? parte pecas? pezzo ricambio repuestos? recambios? articulo articolo artigo produto producto onderdeel onderdelen bestel reservdels? detalj produkt artikkel vare dele? reservedels? varaosan? osan? tuote czesci katalogowy kat zamowienia dilu? dielu? nahradniho alkatresz cikk rendelesi piesa piesei parca urun stok malzeme детали деталі деталей запчасти запчастей каталожный каталога изделия товара запчастини ανταλλακτικου ανταλλακτικων code codice item mfg mfr vendor spare",
);
const OF = String.raw`(?:(?:d[aeiou]?s?|del|della|der|des|of|van|for) )?`;
const GLUED = String.raw`[\p{L}]*(?:teile?|bestell|artikel|artikkel|sach|ident|material|reserve?dels?|vare|dele?|onderdeel|onderdelen|bestel|produkt|varaosan?|osan?|tuote|cikk|rendelesi|alkatresz)-?(?:nr|nummern?|numero|nro|no|szam|kod)`;
const ALONE = joinHeaderWords(
  "p/n p/ns pn pns mpn sku артикул обозначение 品番 部品番号 部番 パーツ番号 パーツno 部品コード 商品コード 商品番号 型番 零件号 零件号码 零件编号 零件編號 零件图号 件号 料号 料號 配件编号 配件号 物料编码 物料号 부품번호 품번 파트번호 부품코드",
);

const DESCRIBED = joinHeaderWords(
  "descriptions? desc descrip designation denominations? nomenclature libelle beschreibung descripcion descricao descrizione denominazione denominacion denominacao omschrijving benaming beskrivning benamning beskrivelse betegnelse benevnelse nimitys kuvaus opis popis leiras descriere aciklama описание опис περιγραφη 描述 説明 설명 details?",
);
const NAMED = joinHeaderWords(
  "names? title titolo titre titel titulo bezeichnung benennung nom nombre nome naam navn namn nimi nazwa nazev nazov megnevezes denumire tanim adi наименование номенклатура название найменування назва ονομασια 品名 部品名 部品名称 商品名 名称 零件名称 名稱 품명 부품명 명칭",
);

const QUANTITY = joinHeaderWords(
  "qty quantity quantities quant menge stuckzahl anzahl cantidad quantite quantidade quantita aantal antal antall ilosc mnozstvi mnozstvo mennyiseg cantitate adet miktar количество кол-во кол кількість ποσοτητα 数量 個数 數量 수량",
);
const MAKER = joinHeaderWords(
  "brands? make manufacturer maker mfr mfg hersteller marke fabrikat fabricant marque fabricante marca produttore costruttore merk fabrikant tillverkare varumarke produsent merke producent marka valmistaja merkki vyrobce vyrobca znacka gyarto producator uretici производитель бренд марка изготовитель виробник κατασκευαστης μαρκα メーカー\\p{L}* ブランド\\p{L}* 品牌 厂家 厂商 제조사 브랜드",
);

export const HEADER_WORDS = {
  count: COUNT,
  code: CODE,
  part: PART,
  /** Between the number and what it numbers: `Número de parte`. */
  of: OF,
  /** German and Nordic compounds: `Artikelnummer`. */
  glued: GLUED,
  /** Words that mean part number by themselves. */
  alone: ALONE,
  partNumber: String.raw`(?:${PART}[ -]?(?:${COUNT}|${CODE})|(?:${COUNT}|${CODE}) ${OF}${PART}|${GLUED}|${ALONE})`,
  name: NAMED,
  description: DESCRIBED,
  quantity: QUANTITY,
  maker: MAKER,
  replacement:
    "(?:replaced by|ersetzt durch|ersatz durch|reemplazado por|sustituido por|substituido por|remplace par|sostituito da|vervangen door|ersatt av|erstattet av|zastapiony przez|nahrazeno|replacements?|superseded by|supersession|supersedes? to|superseding|new (?:part|p/n|pn|number|no)|neue (?:teile|bestell|artikel) ?-? ?(?:nr|nummer)|замена|заменен на|замінено на|代替品番|新品番|替代)",
} as const;
