import { escapeHtml } from "../server/html.ts";
import { jsonReply, type Reply } from "../server/reply.ts";
import type { Routes } from "../server/router.ts";

/** `GET /images/{part id}.svg`. */
export const imageRoutes: Routes = {
  "GET /images/:file": ({ params }) => {
    const id = /^([a-z0-9-]{5,100})\.svg$/.exec(params.file ?? "")?.[1];
    return id === undefined ? jsonReply(404, { error: "Not found" }) : partImage(id);
  },
};

/** A picture of a part: its number on a label, in colours of its own. */
export function partImage(id: string): Reply {
  const hue = [...id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 7);
  const label = escapeHtml(id.slice(0, 40).toUpperCase());
  const body =
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480" role="img" aria-label="${label}">` +
    `<rect width="640" height="480" fill="hsl(${hue} 30% 94%)"/>` +
    `<g fill="none" stroke="hsl(${hue} 35% 45%)" stroke-width="14"><circle cx="320" cy="200" r="110"/><circle cx="320" cy="200" r="44"/>` +
    Array.from({ length: 8 }, (_, tooth) => `<path d="M320 90V62" transform="rotate(${tooth * 45} 320 200)"/>`).join("") +
    `</g><text x="320" y="410" text-anchor="middle" font-family="monospace" font-size="34" fill="hsl(${hue} 40% 25%)">${label}</text></svg>\n`;
  return {
    status: 200,
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=86400", "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'" },
    body,
  };
}
