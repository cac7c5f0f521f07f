import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { renderMarkdown } from "../src/shop/markdown.ts";

const RUNS_SCRIPT =
  /<(?:script|style|iframe|object|embed|form|svg|math|base|link|meta)\b|<(?:[^>"]|"[^"]*")*\s(?:on\w+|style)\s*=/i;
const BAD_LINK = /(?:href|src)="\s*(?:javascript|vbscript|data|file):/i;

describe("a shop's own text", () => {
  test("becomes headings, lists and links, below the page's own heading", () => {
    const html = renderMarkdown("# Returns\n\n- within **30 days**\n- [ask us](mailto:hello@shop.example)");
    expect(html).toMatch(/<h2[^>]*>Returns<\/h2>/);
    expect(html).toContain("<strong>30 days</strong>");
    expect(html).toContain('<a href="mailto:hello@shop.example">ask us</a>');
  });

  test.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "![x](javascript:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    '<a href="javascript:alert(1)">x</a>',
    "<div style=\"background:url('javascript:alert(1)')\">x</div>",
    '[x](https://a.example" onmouseover="alert(1))',
    "<!-- --><svg onload=alert(1)>",
  ])("runs nothing: %s", (text) => {
    const html = renderMarkdown(text);
    expect(html).not.toMatch(RUNS_SCRIPT);
    expect(html).not.toMatch(BAD_LINK);
  });

  test.each(["https://a.example/x", "http://a.example", "/policies/terms", "returns", "#a", "?page=2", "a/b:c"])(
    "links to %s",
    (address) => {
      expect(renderMarkdown(`[x](${address})`)).toContain(`<a href="${address}">x</a>`);
    },
  );

  test("makes links of addresses and mail addresses in the text", () => {
    const html = renderMarkdown("https://a.example/x and hello@reno.com");
    expect(html).toContain('<a href="https://a.example/x">');
    expect(html).toContain('<a href="mailto:hello@reno.com">');
  });

  test.each(["ftp://a.example", "blob:x", "view-source:x", "intent://x"])("does not link to %s", (address) => {
    expect(renderMarkdown(`[x](${address})`)).not.toContain("<a");
  });

  const costly = [
    "[a](",
    "[",
    "![[",
    "![a](",
    "*a ",
    "_a*",
    "**a",
    "> ",
    "- ",
    "1. ",
    "- a\n  ",
    "`a",
    "<a ",
    "[a]: ",
    "a|\n",
  ];

  test.each(costly)("takes little time: %j again and again", (piece) => {
    const start = performance.now();
    expect(renderMarkdown(piece.repeat(20_000 / piece.length))).not.toBe("");
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("takes little time, of any two pieces again and again", () => {
    const piece = fc.constantFrom(...costly, "]", ")", "\n", "\n\n", "a", "***", "~~", "www.", "a@b.");
    fc.assert(
      fc.property(piece, piece, (one, other) => {
        const start = performance.now();
        renderMarkdown((one + other).repeat(20_000 / (one + other).length));
        expect(performance.now() - start).toBeLessThan(2_000);
      }),
      { numRuns: 50 },
    );
  });

  test("runs nothing, of any pieces", () => {
    const pieces = [
      "<",
      ">",
      "script",
      "img",
      " onload=",
      "[a](",
      ")",
      "javascript:",
      "`",
      "*",
      "\n",
      '"',
      "&#x6A;",
      "# ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
        const html = renderMarkdown(parts.join(""));
        expect(html).not.toMatch(RUNS_SCRIPT);
        expect(html).not.toMatch(BAD_LINK);
      }),
    );
  });
});
