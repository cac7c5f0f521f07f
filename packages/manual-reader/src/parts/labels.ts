/** Words around a number. Source: design, "Document pipeline". */

const NUMBER = String.raw`(?:n[o0]s?\b\.?|nbrs?\b\.?|num(?:ber)?s?\b\.?|n[°º]s?|nr\b\.?|#)`;
const END = String.raw`\s*(?:\bis\b|\bare\b)?\s*[:.#=(\[\-]*\s*$`;

const DOCUMENT =
  "form|manual|publication|pub|literature|lit|document|doc|print|patents?|drawing|dwg|bulletin|revision|rev|version";

/** Labels of other languages, of one or several words. */
const FOREIGN = [
  String.raw`(?:\p{L}*teile?|bestell|artikel|artikkel|sach|ident|material|reserve?dels?|vare|dele?|onderdeel|bestel|varaosan?|osan?|tuote|cikk)[-. ]{0,2}(?:nr|nummer|nro|numero|no|sz[aá]m)\.?`,
  String.raw`(?:n[°ºo]\.?|num[eé]ro|n[uú]mero|r[eé]f(?:[eé]rence)?\.?|code|c[oó]d(?:igo)?\.?|codice) (?:d[aeio] (?:la )?|del )?(?:pi[eè]ces?|piezas?|pe[cç]as?|parte|repuesto|recambio|ricambio|article|articolo|art[ií]culo|artigo)`,
  String.raw`(?:best|bestell|art|ers|id)\.?[-. ]{0,2}(?:nr|nummer)\.?`,
  String.raw`(?:c[oó]digo|codice|kod)(?: (?:produktu|do produto|del producto|prodotto|cz[eę][sś]ci))?`,
  String.raw`r[eé]f[eé]rence|numer katalogowy|nr (?:katalogowy|cz[eę][sś]ci)|[cč][ií]slo d[ií]l[uů]|par[cç]a no|cod pies[aă]`,
  "артикул|(?:каталожный )?номер(?: детали| запчасти)?|品番|部品番号|零件号|件号|품번|부품번호",
].join("|");

/** Before a part number. */
export const PART_LABEL = new RegExp(
  String.raw`(?:\b(?:p\/n|pn|p\.n|mpn|oem|sku)s?\b\.?\s*${NUMBER}?|\b(?:(?:spare|service|replacement|oem|mfg|new|old|genuine|repair)\s+)?(?:parts?|pt|kit|stock|order(?:ing)?|assembly|assy|replacement|bestell|teile|art(?:icle|ikel)?)[.\s-]*${NUMBER}|\bpart|(?<!\p{L})(?:${FOREIGN}))${END}`,
  "iu",
);

/** Before the number of a special tool: `SST`, `SST (2)`. */
export const TOOL_LABEL =
  /\b(?:SST|(?:[Ss]pecial\s(?:[Ss]ervice\s)?)?[Tt]ool\s(?:[Nn]o\.?|[Nn]umber))(?:\s*\(\d{1,2}\))?\s*[:.]?\s*$/;

/** Before another number. */
export const OTHER_LABEL = new RegExp(
  [
    String.raw`\b(?:serial|s\/n|sn|vin|ser|pin|product identification|model|mod|type|spec(?:ification)?|code|engine|unit|machine|id|${DOCUMENT}|pat|u\.?s\.? pat(?:ent)?|figure|fig|illustration|section|chapter|step|invoice|account|acct|batch|lot|date|warranty|registration|certificate|licen[cs]e|ver|extension|ext|zip|box|p\.?\s?o\.?|customer|dealer|order date|vat|tax|item)\b[.\s-]*${NUMBER}?\s*(?:s\b|range\b|from\b|before\b|after\b|prior to\b|up to\b|and (?:up|above|below)\b|below\b|above\b)*${END}`,
    String.raw`\b(?:tel(?:ephone)?|phone|fax|call|toll[- ]free|mobile|cell|hotline|ph|whatsapp|helpline)\b[^\d\n]{0,24}(?:\+?1[-. ])?$`,
    String.raw`\b(?:pages?|pp?\.|pg\.?|see|chapter|section|step|table|figures?|figs?\.?|note)\s*$`,
    String.raw`\b(?:iso|sae|din|jis|ansi|astm|asae|asabe|en|iec|ul|csa|epa|carb|nema|api|gl|mil|bs|iapmo|nfpa|osha|cfr|ece|fmvss|ieee|cispr)\b[-/ ]*[a-z]?\s*$`,
    String.raw`[$€£¥]\s*$`,
    String.raw`\b(?:price|msrp|list|cost|usd|eur|total|subtotal)\b${END}`,
    String.raw`\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?\s*\d{0,2},?\s*$`,
  ].join("|"),
  "i",
);

/** Before the number of a document. */
export const DOCUMENT_LABEL = new RegExp(
  String.raw`\b(?:${DOCUMENT}|edition|catalog(?:ue)?)\b[.\s-]*${NUMBER}?${END}`,
  "i",
);

/** Publishers number their documents as parts. */
export const DOCUMENT_PART_LABEL = new RegExp(
  String.raw`\b(?:${DOCUMENT}|guide|catalog(?:ue)?|handbook|book)\s+(?:parts?|order(?:ing)?|stock)[.\s-]*${NUMBER}${END}`,
  "i",
);

/** Before a measure, or words that precede measures. */
export const MEASURE_LABEL = new RegExp(
  String.raw`\b(?:torque|pressure|capacity|volume|displacement|bore|stroke|clearance|gap|diameter|length|width|height|weight|voltage|power|speed|rpm|thread|size|tire|tyre|temperature|hours?|year|copyright|©|\(c\)|approximately|approx\.?|about|over|under|every|up to|isbn|upc|ean)\b${END}`,
  "i",
);

/** After a measure. */
export const UNIT_AFTER =
  /^\s?(?:[x×]\s?\d|(?:n[·.\s-]?m|nm|kn|n\b|(?:ft|in|foot|inch)[.\s-]*(?:lbs?|pounds?)|lbf?[.\s-]*(?:ft|in)|lbs?|kgf?|kg[.·\s-]?(?:m|cm)|psi|kpa|mpa|bars?|rpm|r\/min|min|mm|cm|km|m|in|inch(?:es)?|ft|feet|yd|mils?|miles?|mph|km\/h|hp|kw|ps|w|watts?|v|volts?|va?c|vdc|a|amps?|ma|ah|cca|hz|khz|mhz|ohms?|cc|ccm|cu\.? ?in|oz|fl\.? ?oz|ml|cl|l|ltr|lit(?:er|re)s?|gal(?:lons?)?|qts?|quarts?|pints?|pt|g|grams?|db(?:\(a\))?|hours?|hrs?|years?|yrs?|days?|weeks?|months?|acres?|ha|percent|cycles?|btu|dollars?|usd|eur|copies)\b(?![-/]?\d)|["”″'’′°%Ω])/i;

/** After a drawing's code or a date. */
export const DATE_AFTER = /^\s*(?:-?\s*un\s*-|-?\d{1,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d{2})/i;

/** Before a postal code. */
export const STATE_BEFORE =
  /\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]|Ala\.|Ill\.|Wis\.|Mich\.|Minn\.|Ga\.|Ind\.|Tex\.|Calif\.|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|Hampshire|Jersey|Mexico|York|Carolina|Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Tennessee|Texas|Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|U\.?S\.?A\.?),?\s{1,2}$/;

/** After a part number: `(Qty. 4)`, `, quantity: 4`, `, 4 required`. */
export const QUANTITY_AFTER =
  /^\)?[,;]?\s*[([]?\s*(?:(?:qty|quantity)\b\.?\s*(?:required|req'?d\.?)?\s*[:=]?\s*(\d{1,3})(?![\d./-])|(\d{1,3})\s+(?:required|req'?d|needed)\b)/i;
/** Before it: `Qty. 4, P/N`. */
export const QUANTITY_BEFORE =
  /\b(?:qty|quantity)\b\.?\s*[:=]?\s*(\d{1,3})\s*[,;]?\s*(?:(?:p\/n|pn|part\s+(?:no|number))\b\.?)?\s*[:#(]?\s*$/i;

/** Between the numbers of a list, which share what precedes the first. */
export const LIST_BETWEEN =
  /^\s*\)?\s*(?:[,;&\/+-]|,?\s*(?:and|or|to|thru|through|until|und|et))\s*(?:and|or|up to|s\/n)?\s*(?:[(#])?\s*$/i;

/** A part's name, or a word for ordering, before a number. */
export const PART_NOUN = new RegExp(
  String.raw`\b(?:assembly|assy|kits?|gaskets?|filters?|belts?|blades?|bolts?|screws?|nuts?|washers?|springs?|bearings?|seals?|o-rings?|plugs?|carburetors?|pulleys?|sheaves?|idlers?|shafts?|spindles?|cables?|levers?|brackets?|covers?|guards?|hous(?:ing|ings)|pistons?|rings?|rods?|valves?|pumps?|hoses?|clamps?|clips?|pins?|keys?|bushings?|spacers?|gears?|chains?|sprockets?|switch(?:es)?|solenoids?|relays?|fuses?|batter(?:y|ies)|coils?|flywheels?|starters?|motors?|alternators?|stators?|regulators?|mufflers?|tanks?|caps?|decals?|knobs?|handles?|tires?|tubes?|wheels?|rims?|hubs?|axles?|tines?|augers?|knives|knife|diaphragms?|needles?|floats?|jets?|breathers?|elements?|cleaners?|plates?|panels?|hoods?|seats?|oil|grease|lubricant|sealants?|tools?|puller|gauge|wrench|manifolds?|cylinders?|heads?|crankshafts?|camshafts?|tappets?|linkages?|governors?|clutch(?:es)?|brakes?|pads?|hitch(?:es)?|deck|baffles?|shrouds?|retainers?|rivets?|studs?|fittings?|elbows?|nozzles?|order|use|install|using)\b\)?,?\s*(?:[(#[]|-|:|no\.|number)?\s*$`,
  "i",
);
