interface Chunk {
  fnArray: number[];
  argsArray: unknown[];
}

/**
 * Without a worker pdf.js sends messages to itself, each a deep copy: half of what a page's operators cost. Only their
 * lists are used again, and what they hold is not changed. Source: pdf.js LoopbackPort, OperatorList.flush
 */
const copyDeeply = globalThis.structuredClone;
globalThis.structuredClone = <T>(value: T, options?: Parameters<typeof copyDeeply>[1]): T => {
  const { chunk } = (value ?? {}) as { chunk?: Chunk };
  if (!chunk || !Array.isArray(chunk.fnArray)) return copyDeeply(value, options);
  return { ...value, chunk: { ...chunk, fnArray: [...chunk.fnArray], argsArray: [...chunk.argsArray] } };
};
