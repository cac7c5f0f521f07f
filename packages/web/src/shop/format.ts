import { getDateFormat } from "../shared/intl-formats.ts";
import { fill, type Language } from "../shared/language.ts";
import type { Texts } from "./texts/en.ts";

/** Whose words and days a date has. */
export interface Dated {
  language: Language;
  timeZone: string;
}

/** A moment's day in the shop's time zone, or a date as it is. */
export function date(iso: string, { language, timeZone }: Dated): string {
  const zone = iso.length === "2026-11-21".length ? "UTC" : timeZone;
  return getDateFormat(language, { dateStyle: "medium", timeZone: zone }).format(new Date(iso));
}

/** A moment's day in the shop's time zone, without its year: `Dec 3`. */
export function formatDayOfYear(iso: string, { language, timeZone }: Dated): string {
  return getDateFormat(language, { month: "short", day: "numeric", timeZone }).format(new Date(iso));
}

/** A date as it is, without its year: `Thu, Dec 3`. */
export function formatShortDate(day: string, language: Language): string {
  const options = { weekday: "short", month: "short", day: "numeric", timeZone: "UTC" } as const;
  return getDateFormat(language, options).format(new Date(day));
}

/** `17:00` as people say it: `5:00 PM`. */
export function formatTime(time: string, language: Language): string {
  const options = { timeStyle: "short", timeZone: "UTC" } as const;
  return getDateFormat(language, options).format(new Date(`2000-01-01T${time}Z`));
}

export function onHand(pieces: number, texts: Texts): string {
  return pieces === 1 ? texts.stockPieceOne : fill(texts.stockPieces, { count: pieces });
}

/** The largest unit that fits: `3 hours`. */
export function age(seconds: number, texts: Texts): string {
  if (seconds >= 2 * 86_400) return fill(texts.days, { count: Math.floor(seconds / 86_400) });
  if (seconds >= 2 * 3_600) return fill(texts.hours, { count: Math.floor(seconds / 3_600) });
  if (seconds >= 120) return fill(texts.minutes, { count: Math.floor(seconds / 60) });
  return fill(texts.seconds, { count: Math.floor(seconds) });
}

/** Files are named by their content, wherever the API was when it gave a link. */
const OWN_FILE = /^\/api\/(media|manuals)\/[0-9a-f]{64}(\/|$)/;

const DRAWN_PAGE = /^\/api\/manuals\/[0-9a-f]{64}\/pages\/\d+\.webp$/;

/** The address of a figure's small picture: of a page as drawn, what is drawn there. */
export function toFigurePicture(url: string): string {
  const address = ownAddress(url);
  return DRAWN_PAGE.test(address) ? `${address}?view=drawing` : address;
}

/** An address of the API's files under this page's own origin. Others stay as they are, also what is no address. */
export function ownAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search, hash } = new URL(url);
  return OWN_FILE.test(pathname) ? pathname + search + hash : url;
}

const OWN_PICTURE = /^\/api\/media\/[\da-f]{64}$/;

/** A picture twice as large as it is shown, for sharp screens; one that is not the shop's own has one size. */
export function toShownPicture(url: string, size: number): string {
  const address = ownAddress(url);
  return OWN_PICTURE.test(address) ? `${address}?w=${2 * size}&h=${2 * size}` : address;
}
