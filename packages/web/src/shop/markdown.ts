import MarkdownIt from "markdown-it";

/** What links may be: a page, a mail address or relative, for others may run scripts. */
const SAFE_LINK = /^(?:https?:|mailto:|[^:]*$|[^:/?#]*[/?#])/i;

const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: 20 });
// Addresses without http(s) take quadratic time.
markdown.linkify.set({ fuzzyLink: false });
markdown.validateLink = (url) => SAFE_LINK.test(url);

/** Headings begin below the page's own. */
markdown.core.ruler.push("lower_headings", ({ tokens }) => {
  for (const token of tokens)
    if (token.type.startsWith("heading_")) token.tag = `h${Math.min(Number(token.tag.slice(1)) + 1, 6)}`;
});

/** Turns a shop's text into HTML: HTML in it is shown as text, and a link runs no script. On the server alone. */
export function renderMarkdown(text: string): string {
  return markdown.render(text);
}
