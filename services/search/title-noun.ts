import { fold } from "../../mixins/fold.ts";
import { hasDigit } from "../../mixins/search-index/text.ts";

/** Words that say how a thing is sold or built rather than what it is. */
const NOT_THE_THING = new Set(["assembly", "assy", "kit", "set", "pack", "genuine", "oem", "new", "replacement", "service", "repair", "pair"]);

/**
 * The thing that a part's title names: the last telling word before the first comma, dash, parenthesis or preposition.
 * `Carburetor, Assembly, FS730V` is a carburetor, `Mower Blade, High Lift` a blade, `Gasket for Carburetor` a gasket; undefined for a
 * title without a word of its own.
 */
export function titleNoun(title: string): string | undefined {
  const [head = ""] = fold(title).split(/[,(;:/]|\s[-–—]\s|\s(?:with|w|for|from|to|of|in|on|without)\b/);
  const words = (head.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 && !hasDigit(word));
  return words.findLast((word) => !NOT_THE_THING.has(word));
}
