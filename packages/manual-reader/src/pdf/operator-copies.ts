interface Chunk {
  fnArray: number[];
  argsArray: unknown[];
}

/**
 * Without a worker pdf.js sends itself deep copies: half of what a page's operators cost. Only their lists are changed
 * later. Source: pdf.js LoopbackPort, OperatorList.flush
 */
const copyDeeply = globalThis.structuredClone;
globalThis.structuredClone = <T>(value: T, options?: Parameters<typeof copyDeeply>[1]): T => {
  const { chunk } = (value ?? {}) as { chunk?: Chunk };
  if (!chunk || !Array.isArray(chunk.fnArray)) return copyDeeply(value, options);
  return { ...value, chunk: { ...chunk, fnArray: [...chunk.fnArray], argsArray: [...chunk.argsArray] } };
};
