import type { SearchIndex } from "../../mixins/search-index/port.ts";

/**
 * Wraps an index: calls `changed` after each change, also after one that failed, as it may
 * have been made all the same.
 */
export function createNotifyingIndex(index: SearchIndex, changed: () => void): SearchIndex {
  const notify = <T>(change: Promise<T>): Promise<T> => change.finally(changed);
  return {
    backend: index.backend,
    search: (...query) => index.search(...query),
    suggest: (...query) => index.suggest(...query),
    get: (...wanted) => index.get(...wanted),
    write: (batch) => notify(index.write(batch)),
    progress: () => index.progress(),
    status: () => index.status(),
    indexes: () => index.indexes(),
    startBuild: async (which) => {
      const build = await index.startBuild(which);
      return {
        get names() {
          return build.names;
        },
        add: (batch) => build.add(batch),
        publish: (...expected) => notify(build.publish(...expected)),
        discard: () => build.discard(),
      };
    },
    rollback: (name) => notify(index.rollback(name)),
    close: () => index.close(),
  };
}
