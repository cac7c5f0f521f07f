import { type Html, html, renderDocument } from "../../server/html.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1a1f2b; --soft: #667085; --line: #e3e6ec; --paper: #fff; --back: #f4f6f9; --accent: #0b6b4f; --bad: #b42318; --warn: #fff4d6; --warn-ink: #6b4e00 }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f6; --soft: #98a2b3; --line: #303846; --paper: #1b212c; --back: #12161d; --accent: #38b58a; --bad: #ff8b80; --warn: #3a3015; --warn-ink: #ffe0a0 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem }
.banner { background: var(--warn); color: var(--warn-ink); text-align: center; padding: .4rem 1rem; font-size: .875rem }
.columns { display: grid; gap: 1.5rem; grid-template-columns: 1fr }
@media (min-width: 50rem) { .columns { grid-template-columns: 5fr 6fr; align-items: start } .columns > aside { position: sticky; top: 1.5rem } }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; margin-bottom: 1rem }
h1 { font-size: 1.25rem; margin: 0 0 .25rem } h2 { font-size: 1rem; margin: 1.25rem 0 .5rem } h2:first-child { margin-top: 0 }
.total-now { font-size: 2.25rem; font-weight: 650; letter-spacing: -.02em; margin: 0 0 1rem }
table { width: 100%; border-collapse: collapse } td, th { padding: .45rem 0; vertical-align: top; text-align: left; font-weight: inherit }
td:last-child, th:last-child { text-align: right; white-space: nowrap; padding-left: 1rem; font-variant-numeric: tabular-nums }
tbody + tbody tr:first-child > *, tfoot tr:first-child > * { border-top: 1px solid var(--line) } .grand { font-weight: 650 }
small, .soft { color: var(--soft); font-size: .875rem }
label { display: block; font-size: .875rem; font-weight: 550; margin: .75rem 0 .25rem }
input, select { width: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem }
input:focus-visible, select:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 1px }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem } .choice { display: flex; gap: .6rem; align-items: start; font-weight: 400; font-size: 1rem } .choice input { width: auto; margin-top: .35rem } .choice span:last-child { margin-left: auto }
button { width: 100%; margin-top: 1rem; padding: .75rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer }
button.main { background: var(--accent); border-color: var(--accent); color: #fff; font-size: 1.0625rem } @media (prefers-color-scheme: dark) { button.main { color: #06281d } }
.others { display: grid; gap: 0 .75rem } @media (min-width: 34rem) { .others { grid-template-columns: repeat(3, 1fr) } }
.notice { border-left: 4px solid var(--bad); background: color-mix(in srgb, var(--bad) 10%, transparent); padding: .75rem 1rem; border-radius: .25rem; margin: 0 0 1rem } .notice.mild { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, transparent) }
code { font-size: .875em; overflow-wrap: anywhere } a { color: var(--accent) } .list td, .list th { padding-right: 1rem; border-bottom: 1px solid var(--line) } .list td:last-child { text-align: left; white-space: normal; padding-left: 0 }
.scroll { overflow-x: auto }
`;

/** A page of the sandbox, which says on top that no money moves. */
export function page(title: string, content: Html): Html {
  const banner = html`<header class="banner">Payment sandbox: no real money moves here.</header>`;
  return renderDocument(
    title,
    STYLE,
    html`${banner}
<main>
${content}
</main>`,
  );
}

/** A page with one message. */
export function renderMessagePage(title: string, text: string, link?: { href: string; label: string }): Html {
  return page(
    title,
    html`<section class="card"><h1>${title}</h1><p>${text}</p>${link && html`<p><a href="${link.href}">${link.label}</a></p>`}</section>`,
  );
}

/** `1234` cents as `$12.34`, with thousands separated. */
export function formatMoney(cents: number): string {
  const dollars = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  return `${cents < 0 ? "-" : ""}$${dollars}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
}
