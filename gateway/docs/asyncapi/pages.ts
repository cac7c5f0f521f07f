import { type DurableEvents, type EventDefinition, type Rule, type Rules } from "@partline/api-contracts";
import { createAsyncApiDocument } from "./document.ts";
import { createFieldsExample } from "../examples.ts";
import type { EntryPoint } from "../../../broker/contract/define.ts";
import type { Settings } from "../../../broker/settings.ts";
import {
  createFixedPage,
  createHtmlHeaders,
  renderHtmlPage,
  getContentType,
  type PageEntry,
} from "../../http/pages.ts";
import { JSON_TYPE } from "@partline/http-edge";

const STYLE = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #8886; }
pre { overflow: auto; padding: .75rem; background: #8882; } .badge { font-size: .8rem; border: 1px solid; border-radius: 1rem; padding: 0 .5rem; }
:root { color-scheme: light dark; }
`;

/** /asyncapi.json, and the page at /asyncapi: of the public entry point, and of the console, where webhooks are made. */
export function createEventPages(
  entry: EntryPoint,
  channels: DurableEvents,
  { version, namespace }: Pick<Settings, "version" | "namespace">,
): PageEntry[] {
  if (entry !== "gateway" && entry !== "console") return [];
  const renderDocument = (): string => JSON.stringify(createAsyncApiDocument({ channels, version, namespace }));
  return [
    ["/asyncapi.json", createFixedPage(JSON_TYPE, renderDocument)],
    ["/asyncapi", createFixedPage(getContentType("asyncapi.html"), () => renderHtml(channels), createHtmlHeaders())],
    ["/asyncapi/page.css", createFixedPage(getContentType("page.css"), () => STYLE)],
  ];
}

function renderHtml(channels: DurableEvents): string {
  const names = [...channels.keys()];
  const body = `<h1>Events</h1>
<p>Durable events, as <a href="/asyncapi.json">AsyncAPI 3</a> describes them to programs. Each is delivered at least once.
Amounts are whole cents. A version keeps its fields and may get further ones.</p>
<ul>${names.map((name) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></li>`).join("")}</ul>
${[...channels].map(([name, event]) => renderSection(name, event)).join("\n")}`;
  return renderHtmlPage("events", '<link rel="stylesheet" href="/asyncapi/page.css">', body);
}

function renderSection(name: string, { summary, version = 1, recorded, payload }: EventDefinition): string {
  const example = JSON.stringify(createFieldsExample(payload, "output"), null, 2);
  const badge = recorded ? ' <span class="badge">webhook</span>' : "";
  return `<section id="${escapeHtml(name)}">
<h2>${escapeHtml(name)} <span class="badge">version ${version}</span>${badge}</h2>
<p>${escapeHtml(summary)}.</p>
<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${renderRows(payload).join("\n")}
</tbody></table>
<details><summary>Example</summary><pre>${escapeHtml(example)}</pre></details>
</section>`;
}

function renderRows(fields: Rules, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([name, rule]) => {
    const path = `${prefix}${name}`;
    const inner = rule.type === "array" ? rule.items : rule;
    const cells = [`<code>${escapeHtml(path)}</code>`, escapeHtml(typeName(rule)), escapeHtml(rule.description ?? "")];
    return [
      `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
      ...(inner.type === "object" ? renderRows(inner.props, `${path}${rule.type === "array" ? "[]" : ""}.`) : []),
    ];
  });
}

function typeName(rule: Rule): string {
  const type =
    rule.type === "array"
      ? `list of ${typeName(rule.items)}`
      : rule.type === "enum"
        ? rule.values.join(" | ")
        : rule.type === "number" && rule.integer
          ? "integer"
          : rule.type;
  return `${type}${rule.nullable ? " or null" : ""}${rule.optional ? ", optional" : ""}`;
}

function escapeHtml(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign]!);
}
