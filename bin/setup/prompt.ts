import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks on a terminal, or reads answers from a pipe, a line each. What is typed after `isSecret` is not shown. */
export function createPrompt({ input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream }) {
  let isSilent = false;
  const screen = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isSilent) output.write(chunk);
      done();
    },
  });
  const isTerminal = input.isTTY && output.isTTY;
  const reader = createInterface({ input, output: screen, terminal: isTerminal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    print: (text: string) => void output.write(`${text}\n`),
    /** Returns the trimmed answer; undefined if there are no more lines. */
    async ask(question: string, { isSecret = false } = {}): Promise<string | undefined> {
      reader.setPrompt(`${question}: `);
      // A pipe may have ended, with answers that are still to be read.
      if (isTerminal) reader.prompt();
      else output.write(reader.getPrompt());
      isSilent = isSecret;
      const { value, done } = await lines.next();
      isSilent = false;
      if (isSecret || !isTerminal) output.write("\n");
      return done === true ? undefined : value.trim();
    },
    close: () => reader.close(),
  };
}
