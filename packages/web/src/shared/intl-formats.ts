/**
 * Formats by language and options: to make one takes as long as 30 uses or more, and a page writes many prices and
 * days.
 */
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();
const regionNames = new Map<string, Intl.DisplayNames>();

export function getNumberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return getOrMake(numberFormats, [language, options], () => new Intl.NumberFormat(language, options));
}

export function getDateFormat(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return getOrMake(dateFormats, [language, options], () => new Intl.DateTimeFormat(language, options));
}

/** Names of countries. */
export function getRegionNames(language: string): Intl.DisplayNames {
  return getOrMake(regionNames, [language], () => new Intl.DisplayNames(language, { type: "region" }));
}

function getOrMake<Format>(formats: Map<string, Format>, parts: readonly unknown[], make: () => Format): Format {
  const key = JSON.stringify(parts);
  const format = formats.get(key) ?? make();
  formats.set(key, format);
  return format;
}
