import { createHash } from "node:crypto";
import { adjustContrast } from "@partline/toolkit";
import type { ShopFacts } from "../../../mixins/shop/shop-facts.ts";

/** The grounds of light and dark pages on which text is hardest to read (`--mark` in the pages' style). */
const GROUNDS = { light: "#fff1b8", dark: "#382e08" } as const;

/** Returns the style that puts the shop's colours in place of the pages' own; empty if it has none. */
export function createThemeStyle({ primary, accent }: ShopFacts["colours"]): string {
  const write = (ground: keyof typeof GROUNDS): string =>
    Object.entries({ "--accent": primary, "--second": accent })
      .map(([name, colour]) => (colour === null ? "" : `${name}:${adjustContrast(colour, GROUNDS[ground])};`))
      .join("");
  const [light, dark] = [write("light"), write("dark")];
  if (light === "") return "";
  return (
    `:root{${light}}:root[data-theme="dark"]{${dark}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}`
  );
}

/** Names a style in a Content-Security-Policy. */
export function toStyleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}
