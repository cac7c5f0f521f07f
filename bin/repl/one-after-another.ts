import type { REPLServer } from "node:repl";

/**
 * Makes each line wait for the one before, and the end of the input for the last line: Moleculer's REPL starts each
 * line of a pipe as it comes, and ends in the middle of them.
 */
export function runInSequence(repl: REPLServer): void {
  const evaluate = repl.eval;
  let last = Promise.resolve();
  const evaluateNext: REPLServer["eval"] = (line, context, file, done) => {
    last = last.then(
      () =>
        new Promise<void>((resolve) => {
          evaluate.call(repl, line, context, file, (error, result) => {
            done(error, result);
            resolve();
          });
        }),
    );
  };
  Object.assign(repl, { eval: evaluateNext, ignoreUndefined: true });
  const atEnd = repl.listeners("exit");
  repl.removeAllListeners("exit").on("exit", () => {
    void last.then(() => {
      for (const listener of atEnd) listener.call(repl);
    });
  });
}
