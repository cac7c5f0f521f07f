import { flushCompileCache } from "node:module";

/**
 * The other side of startWorkerProcess: answers each wish. The process ends with the test that started it, also where
 * that was cut off.
 */
export function answerWishes<Wish>(carryOut: (wish: Wish) => Promise<unknown>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", (wish: Wish) => {
    carryOut(wish).then(
      (result) => process.send!({ result }),
      (error: unknown) => process.send!({ error: String(error) }),
    );
  });
  process.send!({ result: "ready" });
  // Most end by kill -9, which leaves no time to write what the next one need not compile.
  flushCompileCache();
}
