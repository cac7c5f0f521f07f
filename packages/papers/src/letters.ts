import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getFrom } from "@partline/toolkit";
import { onOneLine } from "@partline/parts-language";
import Mustache from "mustache";
import type { PaperLanguage } from "./words.ts";

/** What a mail consists of. */
export interface Letter {
  subject: string;
  html: string;
  text: string;
}

/** Makes the error of a problem with the templates, to be put behind the name of their setting. */
type Fail = (problem: string) => Error;

interface Request<K extends string> {
  /** Folder with a template for each kind. */
  ownFolder: string;
  /** Folder with templates in their place. */
  folder: string | undefined;
  kinds: readonly K[];
  /** Kinds with a template for each language. */
  translatedKinds: readonly K[];
  fail: Fail;
}

export type LetterTemplates<K extends string> = ReturnType<typeof loadLetterTemplates<K>>;

const TRANSLATIONS: readonly PaperLanguage[] = ["de", "es"];
const LAYOUTS = ["layout.html", "layout.txt"] as const;
/** A line break in a name begins no paragraph. */
const asText = (value: unknown): string => onOneLine(String(value));

/**
 * Reads the templates (Mustache) of letters: `KIND.mustache`, whose first line is the subject, whose second is the
 * heading and whose other blocks are paragraphs, and the two layouts. `KIND.de.mustache` is one in German. Those in
 * `folder` replace one's own, one without a language in every language.
 * @throws what `fail` makes of a file that is none of them, cannot be read, is broken, empty or without a heading
 */
export function loadLetterTemplates<K extends string>({ ownFolder, folder, kinds, translatedKinds, fail }: Request<K>) {
  const translated = translatedKinds.flatMap((kind) => TRANSLATIONS.map((language) => `${kind}.${language}`));
  const names = [...kinds, ...translated, ...LAYOUTS].map((name) => `${name}.mustache`);
  const customFiles = folder === undefined ? [] : listFiles(folder, fail);
  const unknown = customFiles.find((name) => name.endsWith(".mustache") && !names.includes(name));
  if (unknown) throw fail(`has ${unknown}, which is no template: ${names.join(", ")}`);
  const findFolder = (name: string): string =>
    folder !== undefined && customFiles.includes(name) ? folder : ownFolder;
  const sources = new Map(names.map((name) => [name, readTemplate(findFolder(name), name, fail)]));
  const getSource = (name: string): string => getFrom(sources, `${name}.mustache`);
  const findSource = (kind: K, language: PaperLanguage): string => {
    const name = `${kind}.${language}.mustache`;
    const isReplaced = customFiles.includes(`${kind}.mustache`) && !customFiles.includes(name);
    return (isReplaced ? undefined : sources.get(name)) ?? getSource(kind);
  };

  return {
    /** Returns a mail of this kind. What the view holds is text: it is escaped in the HTML. */
    render(kind: K, view: object, language: PaperLanguage = "en"): Letter {
      const text = Mustache.render(findSource(kind, language), view, undefined, { escape: asText });
      const [subject = "", heading = "", ...rest] = text.trim().split("\n");
      const paragraphs = rest
        .join("\n")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
        .filter((paragraph) => paragraph !== "");
      const letter = { ...view, language, subject: onOneLine(subject), heading, paragraphs };
      return {
        subject: letter.subject,
        html: Mustache.render(getSource("layout.html"), letter),
        text: Mustache.render(getSource("layout.txt"), letter, undefined, { escape: asText }),
      };
    },
  };
}

function listFiles(folder: string, fail: Fail): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw fail(`cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
  }
}

function readTemplate(folder: string, name: string, fail: Fail): string {
  const source = readFileSync(join(folder, name), "utf8");
  try {
    Mustache.parse(source);
  } catch (error) {
    throw fail(`has a broken ${name}: ${(error as Error).message}`);
  }
  const [first, second = ""] = source.trim().split("\n");
  if (first === "") throw fail(`has an empty ${name}`);
  if (second.trim() === "" && !name.startsWith("layout.")) throw fail(`has no heading in ${name}: its second line`);
  return source;
}
