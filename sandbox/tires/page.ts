import { html, type Html } from "../server/html.ts";
import { FAULT_KINDS, type Fault } from "./faults.ts";

/** What a person sees at `/`: what the supplier lists, and switches for its bad days. */
export function indexPage({ url, tires, faults }: { url: string; tires: number; faults: readonly Fault[] }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tire supplier sandbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
  code { font: 14px ui-monospace, monospace; }
  h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem; }
  input { width: 7rem; }
  label { margin-right: 1rem; }
</style>
</head>
<body>
<h1>Tire supplier sandbox</h1>
<p>A stand-in for the tire supplier, with ${tires} tires and wheels at <code>${url}/v1/tires?page=1&amp;pageSize=100</code> for who sends
<code>X-API-KEY</code>.</p>
<h2>What goes wrong</h2>
${faults.length === 0 && html`<p>Nothing.</p>`}
<ul>${faults.map(
    ({ kind, page, value, times }) => html`<li><code>${kind}</code>${value !== null && html` ${value}`}, ${page === null ? "every page" : `page ${page}`},
${times === null ? "for ever" : `${times} more times`}</li>`,
  )}</ul>
<form method="post" action="/sandbox/form/add">
<label>Fault <select name="kind">${FAULT_KINDS.map((kind) => html`<option>${kind}</option>`)}</select></label>
<label>Value <input name="value" type="number" min="0"></label>
<label>Page <input name="page" type="number" min="1" placeholder="every"></label>
<label>Times <input name="times" type="number" min="1" placeholder="for ever"></label>
<button>Add</button>
</form>
<form method="post" action="/sandbox/form/clear"><button>All well again</button></form>
<p>The value is seconds of Retry-After, a status, milliseconds, a total, or a number of items, as the fault's name tells. From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"error","page":3,"times":2}'</code>, and
<code>-X DELETE</code> for all well again; <a href="/sandbox/requests">who asked when</a>.</p>
</body>
</html>
`;
}
