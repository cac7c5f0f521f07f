/** Warnings on the console during the work, not shown. */
export async function warningsDuring<T>(work: () => Promise<T>): Promise<{ value: T; warnings: string[] }> {
  const warnings: string[] = [];
  const originalWarn = console.warn;
  console.warn = (message: unknown) => void warnings.push(String(message));
  try {
    return { value: await work(), warnings };
  } finally {
    console.warn = originalWarn;
  }
}
