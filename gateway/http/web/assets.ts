import { readFileSync } from "node:fs";
import { join } from "node:path";
import { typeOf, type Page, type PageEntry } from "../pages.ts";
import type { EdgeRequest } from "../request/edge-request.ts";
import { ASSETS_PATH, type BuiltApp } from "@partline/web";

export type Encoding = "br" | "gzip";
const SUFFIXES: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

export function encodingFor({ headers }: Pick<EdgeRequest, "headers">): Encoding | undefined {
  const taken = [headers["accept-encoding"] ?? []].flat().join(",").split(",");
  return (["br", "gzip"] as const).find((name) => taken.some((entry) => takes(entry, name)));
}

function takes(entry: string, name: string): boolean {
  const [encoding, weight] = entry.split(";").map((part) => part.trim().toLowerCase());
  return encoding === name && !/^q=0(\.0*)?$/.test(weight ?? "");
}

/** Their names change with their content, so browsers keep them for good. */
export function assetPages({ folder, files }: BuiltApp): PageEntry[] {
  return files.map((name) => [ASSETS_PATH + name, assetPage(join(folder, name), typeOf(name))]);
}

function assetPage(path: string, type: string): Page {
  const contents = new Map<string, Buffer>();
  const read = (file: string): Buffer => {
    const content = contents.get(file) ?? readFileSync(file);
    contents.set(file, content);
    return content;
  };
  return {
    unlimited: true,
    answer: (req) => {
      const encoding = encodingFor(req);
      return {
        status: 200,
        type,
        body: read(encoding ? path + SUFFIXES[encoding] : path),
        headers: {
          "Cache-Control": "public, max-age=31536000, immutable",
          Vary: "Accept-Encoding",
          ...(encoding ? { "Content-Encoding": encoding } : {}),
        },
      };
    },
  };
}
