import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface TourStep {
  commands: string;
  /** What the page prints below the commands; undefined when it prints nothing. */
  answer?: string;
}

/** Returns the steps of a page: each `sh` block with the `json` or `text` block that follows it at once. */
function readTour(page: URL): TourStep[] {
  const steps: TourStep[] = [];
  for (const [, language, content] of readFileSync(page, "utf8").matchAll(/```(sh|json|text)\n([\s\S]*?)```/g)) {
    if (language === "sh") steps.push({ commands: content! });
    else steps.at(-1)!.answer = content!.trim();
  }
  return steps;
}

const ROOT = new URL("../../", import.meta.url);

/** Returns the steps of README.md's quick start, then those of the tutorial. */
export const readTours = (): TourStep[] =>
  ["README.md", "docs/tutorial.md"].flatMap((page) => readTour(new URL(page, ROOT)));

const MARK = "--- end of step ---";

/**
 * Runs the steps one after another in one shell, as a reader would, and answers what each printed. After `limitMs` the
 * shell is ended: the last answer is then what the step that did not come to its end has printed.
 */
export async function runTour(
  steps: TourStep[],
  replace: (commands: string) => string,
  limitMs: number,
): Promise<string[]> {
  const script = steps.map(({ commands }) => `${replace(commands)}\necho; echo '${MARK}'`).join("\n");
  const shell = spawn("bash", ["-u"], { stdio: ["pipe", "pipe", "pipe"], detached: true });
  let printed = "";
  shell.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  shell.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  shell.stdin.end(script);
  const limit = setTimeout(() => process.kill(-shell.pid!), limitMs);
  const status = await new Promise((resolve) => shell.once("close", resolve));
  clearTimeout(limit);
  const parts = printed.split(MARK).map((part) => part.trim());
  return status === null ? parts : parts.slice(0, -1);
}

/** In the printed answer `…` stands for anything, within one value or for whole lines. */
export function matches(expected: string, actual: string): boolean {
  const pattern = normalise(expected)
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*?");
  return new RegExp(`^${pattern}$`).test(normalise(actual));
}

/** White space between JSON tokens is the printer's choice. */
function normalise(text: string): string {
  return text
    .replace(/\s*\n\s*/g, "")
    .replace(/(?<=[{[,:])\s+|\s+(?=[}\]])/g, "")
    .trim();
}
