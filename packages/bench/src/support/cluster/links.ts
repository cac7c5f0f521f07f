import { startTcpProxy, type TcpProxy } from "../../../../../test/support/tcp-proxy.ts";

/** Servers that all processes share. */
export const ENGINES = ["mongo", "elasticsearch", "redis", "s3"] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * The ways that can be cut: none, those to NATS, or those to the engines as well. Nothing stands between the processes
 * and what cannot be cut.
 */
export type Cuttable = "none" | "nats" | "all";

/** The ways from the processes to their servers. */
export interface Links {
  /** Undefined where the environment names no such server. */
  url(engine: Engine): string | undefined;
  /** A way to each NATS server of a process's own. */
  natsUrlOf(member: string): Promise<string>;
  cut(engine: Engine): Promise<void>;
  restore(engine: Engine): Promise<void>;
  /** One process has no NATS, the others do. */
  cutNats(member: string): Promise<void>;
  restoreNats(member: string): Promise<void>;
  restoreAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openLinks(
  servers: { nats: string } & Partial<Record<Engine, string | undefined>>,
  cuttable: Cuttable,
): Promise<Links> {
  const engines = new Map<Engine, TcpProxy>();
  const nats = new Map<string, TcpProxy[]>();
  const { nats: natsUrl, ...named } = servers;
  if (cuttable === "all") {
    for (const [engine, url] of Object.entries(named) as [Engine, string | undefined][])
      if (url !== undefined) engines.set(engine, await startTcpProxy(url));
  }
  const listProxies = (): TcpProxy[] => [...engines.values(), ...[...nats.values()].flat()];
  return {
    url: (engine) => engines.get(engine)?.url ?? servers[engine],
    natsUrlOf: async (member) => {
      if (cuttable === "none") return natsUrl;
      const proxies = await Promise.all(natsUrl.split(",").map((url) => startTcpProxy(url)));
      nats.set(member, proxies);
      return proxies.map(({ url }) => url).join(",");
    },
    cut: async (engine) => engines.get(engine)?.cut(),
    restore: async (engine) => engines.get(engine)?.restore(),
    cutNats: async (member) => void (await Promise.all(nats.get(member)!.map((proxy) => proxy.cut()))),
    restoreNats: async (member) => void (await Promise.all(nats.get(member)!.map((proxy) => proxy.restore()))),
    restoreAll: async () => void (await Promise.all(listProxies().map((proxy) => proxy.restore()))),
    close: async () => void (await Promise.all(listProxies().map((proxy) => proxy.close()))),
  };
}
