interface Found {
  nextCursor?: string | undefined;
}

/** Pages by number over an API that pages by cursor: the cursor of each page is known once the one before was read. */
export function cursorPages<Q extends { cursor?: string | undefined }, F extends Found>(
  load: (query: Q) => Promise<F>,
) {
  let cache = { query: "", cursors: [undefined] as (string | undefined)[] };
  return {
    async page(
      number: number,
      query: Q,
    ): Promise<F & { pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean } }> {
      const text = JSON.stringify(query);
      if (cache.query !== text) cache = { query: text, cursors: [undefined] };
      const { cursors } = cache;
      // After a reload in the middle, the pages before are read once.
      let position = Math.min(number, cursors.length);
      for (;;) {
        const cursor = cursors[position - 1];
        const answer = await load(cursor === undefined ? query : { ...query, cursor });
        const next = answer.nextCursor;
        if (next !== undefined) cursors[position] = next;
        if (position === number || next === undefined)
          return { ...answer, pageInfo: { hasNextPage: next !== undefined, hasPreviousPage: number > 1 } };
        position += 1;
      }
    },
  };
}
