/* eslint no-console: "off" --
   pdf.js tells nothing but on the console that it leaves something out; the process that reads has one of its own. */

/** Warnings on the console during the work, not shown. */
export async function warningsDuring<T>(work: () => Promise<T>): Promise<{ value: T; warnings: string[] }> {
  const warnings: string[] = [];
  const before = console.warn;
  console.warn = (message: unknown) => void warnings.push(String(message));
  try {
    return { value: await work(), warnings };
  } finally {
    console.warn = before;
  }
}
