/** Spellings that no part number has. Such a text begins with a letter or digit, and may have spaces and `./_+-`. */
const NEVER_A_PART: readonly RegExp[] = [
  // Dates with slashes or months.
  /^\d{1,2}\/\d{1,2}\/(?:\d{2}|\d{4})$/,
  /^\d{1,2}[-/ ]?(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEPT?|OCT|NOV|DEC)[A-Z]*[-/ ]?\d{2,4}$/i,
  // `FROM 1ST`.
  /^\d+(?:ST|ND|RD|TH)$/i,
  // A telephone.
  /^1-[2-9]\d{2}-\d{3}-\d{4}$/,
  // Sections and measures: `2.18`.
  /^\d{1,2}\.\d{1,2}$/,
  // Bits and signs, each alone: `1 C C C L L`.
  /(?:^| )\S \S \S(?: |$)/,
  // Positions of a circuit, from one to another.
  /^([A-Z]{1,4})\d{1,3} ?- ?\1\d{1,3}$/,
  // Threads, tires, fractions of an inch.
  /^M\d{1,2}(?:\.\d+)? ?[-x*] ?\d.*$/i,
  /^\d+(?:\.\d+)?(?:\*\d+(?:\.\d+)?)+$/,
  /^M\d{1,2}xD?xL$/i,
  /^\d{1,2}(?:\/\d{1,2})?-\d{2} ?(?:UN[CFJ]|UNEF|NC|NF|NPT)$/i,
  /^\d+(?:-\d+)?\/\d+-\d{2}(?:\b.*)?$/,
  /^\d+(?:\.\d+)? x \d.*$/i,
  /^\d+\.\d+x\d.*$/i,
  /^\d{1,2}x\d+\.\d+.*$/i,
  /^\d{1,2}(?:[-.]\d+)*\/\d{1,2}$/,
  // Prices, measures with their unit, references.
  /\d\.\d{2} ?(?:USD|EUR)$/i,
  /^\d+(?:\.\d+)? ?(?:NM|MM|CM|PSI|KPA|BAR|RPM|HP|KW|CC|ML|OZ|LBS?|KG|FT|GAL|QT|HZ|V|VDC|VAC|[UµΜ]F|PF|MAH)$/i,
  // Interfaces and degrees of protection: `RS485`, `RS232/RS485`, `USB2.0`, `IP54`.
  /^(?:RS-?(?:232|422|423|485)[A-C]?(?:\/(?=R)|$))+$/i,
  /^USB ?[1-4](?:\.\d)?$/i,
  /^IPX?\d{1,2}K?$/i,
  // `110-120V`, `220/240 VAC`
  /^(?:\d{2}|1[0-3]\d|2[0-7]\d|3[4-9]\d|4[0-8]\d) ?[-/] ?(?:\d{2}|1[0-3]\d|2[0-7]\d|3[4-9]\d|4[0-8]\d) ?V(?:AC|DC)?$/i,
  /^(?:FIG|FIGURE|PAGE|PG|SEE|REF|NOTE|STEP|TABLE|SECTION)\.? ?\d/i,
];

/** Spellings that a part number seldom has outside its column. */
const SELDOM_A_PART: readonly RegExp[] = [
  /^\d{1,2}[-.]\d{1,2}[-.](?:\d{2}|\d{4})$/,
  /^(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}$/,
  /^(?:19|20)\d{2}(?:[-/](?:19|20)?\d{2}|\.(?:0[1-9]|1[0-2]))$/,
  /^1-8\d{2}-[0-9A-Z-]{7,9}$/,
  /^M\d{1,2}(?:\.\d+)?$/i,
  /^\d+(?:\.\d+)?x\d.*$/i,
  /^[1-4]\d{2}\/\d{2}[-A-Z]*\d{2}(?:\.\d)?$/,
  /^(?:ISO|SAE|DIN|JIS|ANSI|ASTM|ASAE|EN|IEC|API|NFPA|CSA|MIL|BS|JASO|NEMA|IEEE|EIA|TIA|VDE|VDI|UNI|NF)[- ]?[A-Z]?\d[0-9A-Z.\/-]*$/i,
  /^\d{1,2}W-?\d{2}$/i,
  // Steel.
  /^\d\.\d{4}$/,
  /^\d+(?:\.\d+)?(?:IN|A)$/i,
  /^(?:P|ITEM|TYPE|REV|VER|NO)\.? ?\d/i,
];

/** Whether it names a place, or several, in the drawing of a circuit: `R12`, `IC401`. */
export function isDesignator(text: string): boolean {
  return /^(?:[A-Z]|TP|IC|SW|LED|CN|FB|RL|RV|VR|CR|TR|PL|SK|JP|BR|ZD|SER)\d{1,3}[A-Z]?(?:[-, ]+[A-Z]{1,3}\d{1,3}[A-Z]?)*$/.test(
    text,
  );
}

/** Whether it is no part number even in their column. */
export function isNeverPart(text: string): boolean {
  return NEVER_A_PART.some((kind) => kind.test(text));
}

/** Whether its spelling says a date, telephone, thread, size, standard, price, measure or reference. */
export function isOtherKind(text: string): boolean {
  return isNeverPart(text) || SELDOM_A_PART.some((kind) => kind.test(text));
}

/** 20240131. */
export function isDay(number: string): boolean {
  return /^(?:19[5-9]\d|20[0-4]\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(number);
}
