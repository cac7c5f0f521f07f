import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const servers = new Set<ChildProcess>();

/** Starts packages/bench/src/servers/NAME.ts in a process of its own, which prints its port first. */
export async function startServer(name: string, ...args: string[]): Promise<{ port: number; pid: number }> {
  const script = fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.add(child);
  for await (const line of createInterface({ input: child.stdout })) return { port: Number(line), pid: child.pid! };
  throw new Error(`${name} ended before it listened`);
}

export function stopServers(): void {
  for (const child of servers) child.kill();
  servers.clear();
}
