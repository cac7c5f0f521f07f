import { createHash } from "node:crypto";
import { adjustContrast } from "@partline/toolkit";
import type { ShopFacts } from "../../../mixins/shop/shop-facts.ts";

/** The grounds of light and dark pages on which text is hardest to read; darker and lighter than any of the tokens. */
const GROUNDS = { light: "#e6e8e4", dark: "#2a343f" } as const;

/** Returns the style that puts the shop's colours in place of the pages' own; empty if it has none. */
export function createThemeStyle({ primary, accent }: ShopFacts["colours"]): string {
  const tokens = Object.entries({ "--brand": primary, "--accent": accent }).map(([name, colour]) =>
    colour === null
      ? ""
      : `${name}:light-dark(${adjustContrast(colour, GROUNDS.light)},${adjustContrast(colour, GROUNDS.dark)});`,
  );
  return tokens.every((token) => token === "") ? "" : `:root{${tokens.join("")}}`;
}

/** Names a style in a Content-Security-Policy. */
export function toStyleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
