import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { renderMarkdown } from "../src/shop/markdown.ts";

const RUNS_SCRIPT = /<(?:script|style|iframe|object|embed|form|svg|math|base|link|meta)\b|<[^>]*\s(?:on\w+|style)\s*=/i;
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
