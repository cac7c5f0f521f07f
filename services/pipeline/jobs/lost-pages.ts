/** Pages listed with reasons; of the others, the number. */
const TOLD = 20;

/** `Page 7: it took longer than 30 s`; undefined if all could be read. */
export function lostPagesError(lost: Readonly<Record<string, string>>): string | undefined {
  const pages = Object.entries(lost)
    .map(([key, reason]) => ({ page: Number(key.slice(1)), reason }))
    .sort((one, other) => one.page - other.page);
  if (pages.length === 0) return undefined;
  const told = pages.slice(0, TOLD).map(({ page, reason }) => `Page ${page}: ${reason}`);
  return [...told, ...(pages.length > TOLD ? [`and ${pages.length - TOLD} pages more`] : [])].join("; ");
}
