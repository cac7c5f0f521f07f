/** Bytes of one answer of a chat model: some ten thousand tokens, each in an event of its own. */
const MOST_BYTES = 4_000_000;

/**
 * A `fetch` that takes no more of an answer than a model says in one, nothing of an error but its status, and goes
 * nowhere else: a redirect would carry the key away, and may lead into our own network.
 * @param onEndless told where an answer is cut off
 */
export function boundedFetch(onEndless: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    const { status, statusText, headers, body } = response;
    if (!response.ok || body === null) {
      await body?.cancel();
      return new Response(null, { status, statusText, headers });
    }
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= MOST_BYTES) {
          controller.enqueue(chunk);
          return;
        }
        onEndless();
        controller.error(new Error(`It is longer than ${MOST_BYTES} bytes`));
      },
    });
    return new Response(body.pipeThrough(bounded), { status, statusText, headers });
  };
}
