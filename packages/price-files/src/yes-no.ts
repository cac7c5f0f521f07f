const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const YES = toSet(
  "yes y true ja j oui o sí si sì s sim tak t да так igen i da ano áno kyllä evet var ναι 有 有り あり 예 있음",
);
const NO = toSet(
  "no n false nein non nao não nie нет ні nem nu ne nej nei nee ei hayır yok όχι 無 無し なし 无 아니오 없음",
);

const toPhrases = (phrases: string): ReadonlySet<string> => new Set(phrases.split("|"));
const AVAILABLE = toPhrases(
  "in stock|available|instock|auf lager|ab lager|lagernd|vorrätig|verfügbar|lieferbar|en stock|disponible|en existencia|" +
    "hay stock|en magasin|disponibile|in magazzino|disponivel|disponível|em estoque|em stock|op voorraad|leverbaar|i lager|" +
    "på lager|varastossa|na stanie|dostępny|dostępne|w magazynie|skladem|skladom|raktáron|stokta|stokta var|в наличии|" +
    "есть в наличии|в наявності|在庫あり|有货|有貨|재고 있음",
);
const UNAVAILABLE = toPhrases(
  "out of stock|outofstock|sold out|not in stock|no stock|unavailable|not available|on order|to order|special order|" +
    "on backorder|backorder|backordered|nicht auf lager|nicht lagernd|nicht vorrätig|nicht verfügbar|nicht lieferbar|" +
    "ausverkauft|vergriffen|auf bestellung|auf anfrage|bajo pedido|por pedido|sobre pedido|agotado|sin stock|no disponible|" +
    "sin existencias|en rupture|rupture|rupture de stock|sur commande|épuisé|non disponible|indisponible|esaurito|" +
    "su ordinazione|non disponibile|esgotado|sob encomenda|sem estoque|indisponível|uitverkocht|op bestelling|" +
    "niet op voorraad|slut|slut i lager|ikke på lager|loppu|brak|na zamówienie|niedostępny|niedostępne|není skladem|" +
    "na objednávku|nincs raktáron|stokta yok|tükendi|нет в наличии|под заказ|немає в наявності|在庫なし|取り寄せ|缺货|缺貨|품절",
);

/** Reads whether a stock in words is one: `In Stock`, `bajo_pedido`, `ja`; undefined for any other text. */
export function readAvailability(text: string): boolean | undefined {
  const words = text
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
  if (AVAILABLE.has(words)) return true;
  return UNAVAILABLE.has(words) ? false : readYesNo(text);
}

/** Reads yes or no in the languages of price lists; undefined for any other text. */
export function readYesNo(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
