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
  /** What search engines read of it. */
  jsonLd?: readonly object[] | undefined;
  /** Address of a picture of what the page is about, for those who share it. */
  image?: string | undefined;
}

interface DocumentParts {
  language: string;
  theme: string | undefined;
  /** Id of an image. */
  favicon: string | null;
  /** Path of the web app manifest. */
  manifest?: string;
  /** CSS after the page's own; may be empty. */
  style?: string;
  head: Head;
  assets: Assets;
  /** Modules that the script asks for at once. */
  preloads?: readonly string[];
  /** Data for the browser's half of the page; without it, the page has no script. */
  data?: unknown;
  content: ReactNode;
}

/** The whole page. Its scripts are files; what is written into it is data. */
export function renderDocument(parts: DocumentParts): string {
  const { language, theme, favicon, manifest, style = "", head, assets, preloads = [], data, content } = parts;
  const { title, description, canonical, jsonLd, image } = head;
  const page = (
    <html lang={language} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {description && <meta name="description" content={description} />}
        {canonical && (
          <>
            <meta property="og:type" content="website" />
            <meta property="og:title" content={title} />
            <meta property="og:url" content={canonical} />
            {description && <meta property="og:description" content={description} />}
            {image && <meta property="og:image" content={image} />}
          </>
        )}
        {canonical ? <link rel="canonical" href={canonical} /> : <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={favicon === null ? DEFAULT_ICON : toIconPath(favicon, 96)} />
        {favicon !== null && <link rel="apple-touch-icon" href={toIconPath(favicon, 180)} />}
        {manifest !== undefined && <link rel="manifest" href={manifest} />}
        <link rel="stylesheet" href={assets.style} />
        {assets.fonts.map((address) => (
          <link key={address} rel="preload" as="font" type="font/woff2" crossOrigin="" href={address} />
        ))}
        {style !== "" && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {/* The page is complete without its script, so style and pictures come first. */}
        {preloads.map((address) => (
          <link key={address} rel="modulepreload" href={address} fetchPriority="low" />
        ))}
        {data !== undefined && <script type="module" src={assets.script} fetchPriority="low" />}
        {jsonLd?.map((value, index) => (
          <DataScript key={index} type="application/ld+json" value={value} />
        ))}
      </head>
      <body>
        <div id={ROOT_ID} dangerouslySetInnerHTML={{ __html: renderToString(content) }} />
        {data !== undefined && <DataScript id={DATA_ID} type="application/json" value={data} />}
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

/** A nut, for a shop without an icon. */
const DEFAULT_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0e7a5c" fill-rule="evenodd" d="M7 2.5h10L22 12l-5 9.5H7L2 12zM12 7.4a4.6 4.6 0 100 9.2 4.6 4.6 0 000-9.2z"/></svg>',
)}`;

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
