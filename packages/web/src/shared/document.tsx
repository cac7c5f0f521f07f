import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { toPicturePath } from "../../../../mixins/shop/shop-facts.ts";
import type { Assets } from "./app.ts";
import { DATA_ID, ROOT_ID } from "./hydration.ts";

export interface Head {
  title: string;
  description?: string | undefined;
  /** The page's own address, if search engines may list it. */
  canonical?: string | undefined;
  jsonLd?: object | undefined;
}

interface DocumentParts {
  language: string;
  theme: string | undefined;
  /** Id of an image. */
  favicon: string | null;
  /** CSS after the page's own; may be empty. */
  style?: string;
  head: Head;
  assets: Assets;
  /** Modules that the script asks for at once. */
  preloads?: readonly string[];
  /** Data for the browser's half of the page. */
  data: unknown;
  content: ReactNode;
}

/** The whole page. Its scripts are files; what is written into it is data. */
export function renderDocument(parts: DocumentParts): string {
  const { language, theme, favicon, style = "", head, assets, preloads = [], data, content } = parts;
  const { title, description, canonical, jsonLd } = head;
  const page = (
    <html lang={language} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {canonical ? <link rel="canonical" href={canonical} /> : <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={favicon === null ? "data:," : toIconPath(favicon, 96)} />
        {favicon !== null && <link rel="apple-touch-icon" href={toIconPath(favicon, 180)} />}
        <link rel="stylesheet" href={assets.style} />
        {style !== "" && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {preloads.map((address) => (
          <link key={address} rel="modulepreload" href={address} />
        ))}
        <script type="module" src={assets.script} />
        {jsonLd && <DataScript type="application/ld+json" value={jsonLd} />}
      </head>
      <body>
        <div id={ROOT_ID} dangerouslySetInnerHTML={{ __html: renderToString(content) }} />
        <DataScript id={DATA_ID} type="application/json" value={data} />
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

/** A square, with a border around a picture that is none. */
const toIconPath = (image: string, side: number): string =>
  `${toPicturePath(image, { width: side, height: side })}&fit=contain`;

/** JSON that no text in it can end. */
function DataScript({ value, ...props }: { value: unknown; type: string; id?: string }): ReactNode {
  const json = JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return <script {...props} dangerouslySetInnerHTML={{ __html: json }} />;
}
