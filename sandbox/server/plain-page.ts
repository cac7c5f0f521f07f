import { html, type Html } from "./html.ts";

/** A sandbox's page for a person: nothing loaded from anywhere. The title is its heading too. */
export function plainPage(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
  code { font: 14px ui-monospace, monospace; overflow-wrap: anywhere; }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
  input { width: 7rem; }
  label { margin-right: 1rem; }
  td, th { padding: .1rem 1.5rem .1rem 0; text-align: left; }
  textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
</style>
</head>
<body>
<h1>${title}</h1>
${content}
</body>
</html>
`;
}
