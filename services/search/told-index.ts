import type { SearchIndex } from "../../mixins/search-index/port.ts";

/** The index, whose changes are told before whoever makes them goes on; one that failed may have been made all the same. */
export function toldIndex(index: SearchIndex, changed: () => Promise<void>): SearchIndex {
  const told = <T>(change: Promise<T>): Promise<T> => change.finally(changed);
  return {
    backend: index.backend,
    search: (...query) => index.search(...query),
    suggest: (...query) => index.suggest(...query),
    get: (...wanted) => index.get(...wanted),
    write: (batch) => told(index.write(batch)),
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
        publish: (...expected) => told(build.publish(...expected)),
        discard: () => build.discard(),
      };
    },
    rollback: (name) => told(index.rollback(name)),
    close: () => index.close(),
  };
}
