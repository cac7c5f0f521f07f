import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IMPORTED = /\b(?:from|import)\s*\(?\s*"(\.[^"]+|@partline\/[\w/-]+)"/g;

/** Reads sources of ours, and finds what they import; each is read once. Paths are relative to `root`. */
export function createSources(root: string) {
  const contents = new Map<string, string>();
  const imports = new Map<string, string[]>();

  function read(file: string): string {
    const content = contents.get(file) ?? readFileSync(join(root, file), "utf8");
    contents.set(file, content);
    return content;
  }

  /** Returns the file that `@partline/NAME` or `@partline/NAME/PART` stands for. */
  function findDoor(name: string): string {
    const [, folder = "", part = ""] = /^([\w-]+)(.*)$/.exec(name) ?? [];
    // The pages take the client from its sources.
    if (folder === "client") return "packages/client/src/index.ts";
    const { exports } = JSON.parse(read(`packages/${folder}/package.json`)) as { exports: Record<string, string> };
    return join(`packages/${folder}`, exports[`.${part}`] ?? "index.ts");
  }

  function findImports(file: string): string[] {
    const earlier = imports.get(file);
    if (earlier) return earlier;
    const names = [...read(file).matchAll(IMPORTED)].map(([, name = ""]) =>
      name.startsWith(".") ? join(dirname(file), name) : findDoor(name.slice("@partline/".length)),
    );
    const files = [...new Set(names)].filter((name) => existsSync(join(root, name)));
    imports.set(file, files);
    return files;
  }

  return {
    read,
    /** Returns the file and all that it imports, directly or not. */
    findClosure(file: string): string[] {
      const closure = new Set([file]);
      for (const member of closure) for (const name of findImports(member)) closure.add(name);
      return [...closure].sort();
    },
  };
}
