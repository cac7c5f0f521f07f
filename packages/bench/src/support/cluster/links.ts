import { startTcpProxy, type TcpProxy } from "../../../../../test/support/tcp-proxy.ts";

/** Servers that all processes share. */
export const ENGINES = ["mongo", "elasticsearch", "redis", "s3"] as const;
export type Engine = (typeof ENGINES)[number];
/**
 * The engine that a process may reach by a way of its own: nodes with other addresses of the others refuse each other.
 */
const OWN_WAY: Engine = "mongo";

/**
 * The ways that can be cut: none, those to NATS, or those to the engines as well. Nothing stands between the processes
 * and what cannot be cut.
 */
export type Cuttable = "none" | "nats" | "all";

/** The ways from the processes to their servers. */
export interface Links {
  /** Undefined where the environment names no such server. */
  url(engine: Engine): string | undefined;
  /** A process's own ways to the servers: its NATS_URL and the engines' addresses. */
  openFor(member: string): Promise<{ nats: string } & Partial<Record<Engine, string>>>;
  cut(engine: Engine): Promise<void>;
  restore(engine: Engine): Promise<void>;
  /** One process has no NATS, the others do. */
  cutNats(member: string): Promise<void>;
  restoreNats(member: string): Promise<void>;
  /**
   * Nothing that one process sends to NATS or MongoDB arrives, and nothing comes back: its connections stay, and are
   * silent.
   */
  isolate(member: string): void;
  restoreMember(member: string): Promise<void>;
  restoreAll(): Promise<void>;
  close(): Promise<void>;
}

export function openLinks(
  servers: { nats: string } & Partial<Record<Engine, string | undefined>>,
  cuttable: Cuttable,
): Links {
  const engines = new Map<string, Map<Engine, TcpProxy>>();
  const nats = new Map<string, TcpProxy[]>();
  const { nats: natsUrl, ...named } = servers;
  const shared = new Map<Engine, Promise<TcpProxy>>();
  const openWay = (engine: Engine, url: string): Promise<TcpProxy> => {
    if (engine === OWN_WAY) return startTcpProxy(url);
    const way = shared.get(engine) ?? startTcpProxy(url);
    shared.set(engine, way);
    return way;
  };
  const openEngines = async (member: string): Promise<Partial<Record<Engine, string>>> => {
    const urls = Object.entries(named).filter((entry): entry is [Engine, string] => entry[1] !== undefined);
    if (cuttable !== "all") return Object.fromEntries(urls);
    const proxies = await Promise.all(urls.map(async ([engine, url]) => [engine, await openWay(engine, url)] as const));
    engines.set(member, new Map(proxies));
    return Object.fromEntries(proxies.map(([engine, { url }]) => [engine, url]));
  };
  const openNats = async (member: string): Promise<string> => {
    if (cuttable === "none") return natsUrl;
    const proxies = await Promise.all(natsUrl.split(",").map((url) => startTcpProxy(url)));
    nats.set(member, proxies);
    return proxies.map(({ url }) => url).join(",");
  };
  const listTo = (engine: Engine): TcpProxy[] => [
    ...new Set([...engines.values()].flatMap((ways) => ways.get(engine) ?? [])),
  ];
  const listFrom = (member: string): TcpProxy[] => [
    ...(nats.get(member) ?? []),
    ...[engines.get(member)?.get(OWN_WAY) ?? []].flat(),
  ];
  const listAll = (): TcpProxy[] => [...[...nats.values()].flat(), ...ENGINES.flatMap(listTo)];
  const restore = async (proxies: readonly TcpProxy[]): Promise<void> =>
    void (await Promise.all(proxies.map((proxy) => proxy.restore())));
  const cut = async (proxies: readonly TcpProxy[]): Promise<void> =>
    void (await Promise.all(proxies.map((proxy) => proxy.cut())));
  return {
    url: (engine) => servers[engine],
    openFor: async (member) => ({ ...(await openEngines(member)), nats: await openNats(member) }),
    cut: (engine) => cut(listTo(engine)),
    restore: (engine) => restore(listTo(engine)),
    cutNats: (member) => cut(nats.get(member)!),
    restoreNats: (member) => restore(nats.get(member)!),
    isolate: (member) => {
      for (const proxy of listFrom(member)) proxy.freeze();
    },
    restoreMember: (member) => restore(listFrom(member)),
    restoreAll: () => restore(listAll()),
    close: async () => void (await Promise.all(listAll().map((proxy) => proxy.close()))),
  };
}
