import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Mustache from "mustache";
import { SettingsError } from "../../broker/settings/reader.ts";
import { onOneLine } from "../../mixins/safe-text.ts";
import type { Letter } from "./letter.ts";
import { KIND_NAMES, type Kind } from "./resources.ts";

const OWN = fileURLToPath(new URL("./templates", import.meta.url));
/** A line break in a name begins no paragraph. */
const asText = (value: unknown): string => onOneLine(String(value));
const LAYOUTS = ["layout.html", "layout.txt"] as const;

export type Templates = ReturnType<typeof loadTemplates>;

/**
 * Reads the templates (Mustache): `KIND.mustache`, whose first line is the subject, whose second is the heading and whose
 * other blocks are paragraphs, and the two layouts. Those in `folder` replace the product's.
 * @throws SettingsError naming a file that is none of them, cannot be read, is broken, empty or without a heading
 */
export function loadTemplates(folder: string | undefined) {
  const names = [...KIND_NAMES.map((kind) => `${kind}.mustache`), ...LAYOUTS.map((name) => `${name}.mustache`)];
  const given = folder === undefined ? [] : filesOf(folder);
  const unknown = given.find((name) => name.endsWith(".mustache") && !names.includes(name));
  if (unknown) throw new SettingsError(`MAIL_TEMPLATES has ${unknown}, which is no template: ${names.join(", ")}`);
  const sources = new Map(names.map((name) => [name, sourceOf(given.includes(name) ? folder! : OWN, name)]));
  const source = (name: string): string => sources.get(`${name}.mustache`)!;

  return {
    /** Returns a mail of this kind. What the view holds is text: it is escaped in the HTML. */
    render(kind: Kind, view: object): Letter {
      const text = Mustache.render(source(kind), view, undefined, { escape: asText });
      const [subject = "", heading = "", ...rest] = text.trim().split("\n");
      const paragraphs = rest
        .join("\n")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
        .filter((paragraph) => paragraph !== "");
      const letter = { ...view, subject: onOneLine(subject), heading, paragraphs };
      return {
        subject: letter.subject,
        html: Mustache.render(source("layout.html"), letter),
        text: Mustache.render(source("layout.txt"), letter, undefined, { escape: asText }),
      };
    },
  };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new SettingsError(`MAIL_TEMPLATES cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
  }
}

function sourceOf(folder: string, name: string): string {
  const source = readFileSync(join(folder, name), "utf8");
  try {
    Mustache.parse(source);
  } catch (error) {
    throw new SettingsError(`MAIL_TEMPLATES has a broken ${name}: ${(error as Error).message}`);
  }
  const [first, second = ""] = source.trim().split("\n");
  if (first === "") throw new SettingsError(`MAIL_TEMPLATES has an empty ${name}`);
  if (second.trim() === "" && !name.startsWith("layout."))
    throw new SettingsError(`MAIL_TEMPLATES has no heading in ${name}: its second line`);
  return source;
}
