import { compiler } from "markdown-to-jsx";
import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Headings begin below the page's own. */
const OVERRIDES = Object.fromEntries([1, 2, 3, 4, 5].map((level) => [`h${level}`, { component: `h${level + 1}` }]));

/** Turns a shop's text into HTML: HTML in it is shown as text, and a link runs no script. On the server alone. */
export function renderMarkdown(text: string): string {
  return renderToStaticMarkup(
    compiler(text, {
      disableParsingRawHTML: true,
      forceBlock: true,
      wrapper: Fragment,
      overrides: OVERRIDES,
      slugify: createHeadingId,
    }),
  );
}

/** No id of the page itself. */
function createHeadingId(heading: string, slug: (heading: string) => string): string {
  return `text-${slug(heading)}`;
}
