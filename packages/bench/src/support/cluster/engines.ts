import { execFile } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Engine } from "./links.ts";

const run = promisify(execFile);
const SCRIPT_WITHIN_MS = 300_000;

/**
 * Stops a server and starts it again over what it had written.
 * @param scripts the folder of `down NAME` and `up NAME`; they get this process's environment (STACK_RUN, STACK_CACHE)
 * @param url where it must stop taking connections in between: the scripts may know of another
 */
export async function restartEngine(scripts: string, engine: Engine, url: string): Promise<void> {
  const options = { timeout: SCRIPT_WITHIN_MS, env: process.env };
  await run(join(scripts, "down"), [engine], options);
  const wentOn = await takesConnections(new URL(url));
  await run(join(scripts, "up"), [engine], options);
  if (wentOn)
    throw new Error(
      `${engine} took connections after ${scripts}/down: STACK_SCRIPTS, STACK_RUN and the engines' addresses must be of one stack`,
    );
}

function takesConnections({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", end(true)).once("error", end(false));
  });
}
