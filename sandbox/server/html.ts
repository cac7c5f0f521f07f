import type { Reply } from "./reply.ts";

/** Markup whose parts were escaped, or were `Html`. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | Html | null | undefined | false | readonly Part[];

/** A template tag that escapes every value except `Html`. Null, undefined and false are empty; a list is joined. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? render(parts[index]) : "")).join(""));
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (part instanceof Html) return part.markup;
  if (typeof part === "object") return part.map(render).join("");
  return escapeHtml(String(part));
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A page that may load nothing: its style is inline and it has no script. */
export function htmlReply(status: number, page: Html): Reply {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      "x-content-type-options": "nosniff",
      // With no-referrer, a browser would not say that a form is of this page.
      "referrer-policy": "same-origin",
    },
    body: page.markup,
  };
}
