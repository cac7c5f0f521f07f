import { html, Html } from "./html.ts";

/** An HTML document of a sandbox, which loads nothing. */
export function htmlDocument(title: string, style: string, content: Html): Html {
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
  textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
`;

/** A plain page of a sandbox. The title is its heading too. */
export function plainPage(title: string, content: Html): Html {
  return htmlDocument(
    title,
    STYLE,
    html`<h1>${title}</h1>
${content}`,
  );
}
