import { faultSwitches } from "../faults/controls.ts";
import type { Faults } from "../faults/switches.ts";
import { html, type Html } from "../server/html.ts";
import type { FaultKind } from "./faults.ts";

/** What a person sees at `/`: what the supplier lists, and switches for its bad days. */
export function indexPage({ url, tires, faults }: { url: string; tires: number; faults: Faults<FaultKind> }): Html {
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
${faultSwitches(faults)}
<p>The value is seconds of Retry-After, a status, milliseconds, a total, or a number of items, as the fault's name tells. From a shell:
<code>curl ${url}/sandbox/faults -H 'Content-Type: application/json' -d '{"kind":"error","page":3,"times":2}'</code>, and
<code>-X DELETE</code> for all well again; <a href="/sandbox/requests">who asked when</a>.</p>
</body>
</html>
`;
}
