import { cutTitle, lastThing } from "../../mixins/search-index/title-head.ts";

/** Words that say how a thing comes: a kit for a filter is close to the filter. */
const HOW_IT_COMES = new Set(["kit", "set", "pack", "service", "repair"]);

/**
 * The thing that a part's title names, or that what it names is for: `Carburetor, Assembly, FS730V` and `Carburetor Repair Kit` are carburetors,
 * `Mower Blade, High Lift` a blade, `Gasket for Carburetor` a gasket; undefined for a title without a word of its own.
 */
export function titleNoun(title: string): string | undefined {
  return lastThing(cutTitle(title).head, HOW_IT_COMES);
}
