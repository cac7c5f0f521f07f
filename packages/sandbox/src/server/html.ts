import type { Reply } from "./http-server.ts";

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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A page that may load nothing: its style is inline and it has no script. */
export function createHtmlReply(status: number, page: Html): Reply {
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

/** An HTML document that loads nothing. */
export function renderDocument(title: string, style: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${content}
</body>
</html>
`;
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
  code { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
  input { width: 7rem; }
  label { margin-right: 1rem; }
  td, th { padding: .1rem 1.5rem .1rem 0; text-align: left; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
`;

/** A plain page of a sandbox. The title is its heading too. */
export function renderPlainPage(title: string, content: Html): Html {
  return renderDocument(
    title,
    STYLE,
    html`<main><h1>${title}</h1>
${content}</main>`,
  );
}
