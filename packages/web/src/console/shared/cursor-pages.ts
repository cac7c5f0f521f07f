interface Found {
  nextCursor?: string | undefined;
}

/** Pages by number over an API that pages by cursor: the cursor of each page is known once the one before was read. */
export function cursorPages<Q extends { cursor?: string | undefined }, F extends Found>(
  read: (query: Q) => Promise<F>,
) {
  let known = { query: "", cursors: [undefined] as (string | undefined)[] };
  return {
    async page(
      number: number,
      query: Q,
    ): Promise<F & { pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean } }> {
      const asked = JSON.stringify(query);
      if (known.query !== asked) known = { query: asked, cursors: [undefined] };
      const { cursors } = known;
      // After a reload in the middle, the pages before are read once.
      let at = Math.min(number, cursors.length);
      for (;;) {
        const cursor = cursors[at - 1];
        const found = await read(cursor === undefined ? query : { ...query, cursor });
        const next = found.nextCursor;
        if (next !== undefined) cursors[at] = next;
        if (at === number || next === undefined)
          return { ...found, pageInfo: { hasNextPage: next !== undefined, hasPreviousPage: number > 1 } };
        at += 1;
      }
    },
  };
}
