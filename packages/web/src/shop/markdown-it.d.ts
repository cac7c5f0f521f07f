/** What the shop uses of it: the package has no types of its own. */
declare module "markdown-it" {
  interface Token {
    type: string;
    tag: string;
  }

  export default class MarkdownIt {
    constructor(options: { html: boolean; linkify: boolean; maxNesting: number });
    linkify: { set(options: { fuzzyLink: boolean }): void };
    validateLink: (url: string) => boolean;
    core: { ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } };
    render(text: string): string;
  }
}
