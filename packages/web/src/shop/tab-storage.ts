/** Uses what this tab keeps; undefined if the browser blocks its storage or it is full: pages do without it. */
export function inTabStorage<Value>(use: (storage: Storage) => Value): Value | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
