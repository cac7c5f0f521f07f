import { toPicturePath, type ShopFacts } from "../../../../mixins/shop/shop-facts.ts";

export const MANIFEST_PATH = "/manifest.webmanifest";
const SIDES = [192, 512];

/** Writes what a phone needs to keep the shop on its home screen. */
export function createManifest(
  { shopName, favicon }: Pick<ShopFacts, "shopName" | "favicon">,
  description: string,
): string {
  return JSON.stringify({
    name: shopName,
    short_name: shopName.slice(0, 24),
    description,
    start_url: "/",
    display: "minimal-ui",
    background_color: "#f5f6f3",
    theme_color: "#16202b",
    icons: favicon === null ? [] : SIDES.map((side) => createIcon(favicon, side)),
  });
}

function createIcon(image: string, side: number): object {
  const src = `${toPicturePath(image, { width: side, height: side })}&fit=contain`;
  return { src, sizes: `${side}x${side}`, type: "image/png" };
}
