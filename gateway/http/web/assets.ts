import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getContentType, type Page, type PageEntry } from "../pages.ts";
import type { EdgeRequest } from "@partline/http-edge";
import { ASSETS_PATH, type BuiltApp } from "@partline/web";

export type Encoding = "br" | "gzip";
const SUFFIXES: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

export function findEncoding({ headers }: Pick<EdgeRequest, "headers">): Encoding | undefined {
  const acceptedEncodings = [headers["accept-encoding"] ?? []].flat().join(",").split(",");
  return (["br", "gzip"] as const).find((name) => acceptedEncodings.some((entry) => isAccepted(entry, name)));
}

function isAccepted(entry: string, name: string): boolean {
  const [encoding, weight] = entry.split(";").map((part) => part.trim().toLowerCase());
  return encoding === name && !/^q=0(\.0*)?$/.test(weight ?? "");
}

/** Creates the pages of assets; browsers cache them for good, because their names change with their content. */
export function createAssetPages({ folder, files }: BuiltApp): PageEntry[] {
  return files.map((name) => [ASSETS_PATH + name, createAssetPage(join(folder, name), getContentType(name))]);
}

function createAssetPage(path: string, type: string): Page {
  const contents = new Map<string, Buffer>();
  const readContent = (file: string): Buffer => {
    const content = contents.get(file) ?? readFileSync(file);
    contents.set(file, content);
    return content;
  };
  return {
    unlimited: true,
    answer: (req) => {
      const encoding = findEncoding(req);
      return {
        status: 200,
        type,
        body: readContent(encoding ? path + SUFFIXES[encoding] : path),
        headers: {
          "Cache-Control": "public, max-age=31536000, immutable",
          Vary: "Accept-Encoding",
          ...(encoding ? { "Content-Encoding": encoding } : {}),
        },
      };
    },
  };
}
