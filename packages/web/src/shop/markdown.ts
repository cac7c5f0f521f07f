import { compiler } from "markdown-to-jsx";
import { Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Headings begin below the page's own. */
const OVERRIDES = {
  h1: { component: "h2" },
  h2: { component: "h3" },
  h3: { component: "h4" },
  h4: { component: "h5" },
} as const;

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
