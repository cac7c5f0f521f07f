import { describe, expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../../bin/node-options.mjs";
import { ENTRY_POINTS, type ServiceContract } from "../../broker/contract/define.ts";
import { contractsByName } from "../../services/all-contracts.ts";
import { loadSettings } from "../../broker/settings.ts";
import { readShopSettings } from "../../services/shared/settings.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";
import { SERVICE_NAMES } from "../../broker/settings/run.ts";
import { DOCKER_DIR, makeSecrets, processes, readCompose } from "../support/compose.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { NATS_SERVER } from "../support/nats-server.ts";
import { namesRead } from "../support/reference/settings.ts";

const ROOT = join(DOCKER_DIR, "..");
/** What Caddyfile listens on. */
const SITES = ["SITE_ADDRESS", "CART_ADDRESS", "SHOP_SITE_ADDRESS", "CONSOLE_SITE_ADDRESS"];
const PRODUCTION = {
  IDENTITY_JWKS_URL: "https://identity.example/jwks",
  IDENTITY_AUDIENCE: "api",
  IDENTITY_AUTHORIZED_PARTIES: "https://shop.example",
  DIS_URL: "https://dis.example",
  TIRE_SUPPLIER_URL: "https://tires.example",
};
const folder = mkdtempSync(join(tmpdir(), "partline-docker-"));
const secrets = join(folder, "secrets");
const withSecrets = makeSecrets(secrets);
for (const name of [
  "stripe-secret-key",
  "stripe-webhook-secret",
  "identity-webhook-secret",
  "dis-api-key",
  "dis-dealer-id",
  "tire-supplier-api-key",
]) {
  writeFileSync(join(secrets, name), "from the provider\n");
}
const hasTool = (name: string): boolean => spawnSync(name, ["version"]).status === 0;

/** What the image says of a process, and a DATA_DIR of our own. */
const load = (environment: Record<string, string>) =>
  loadSettings(
    { HOST: "0.0.0.0", HEALTH_PORT: "9000", ...withSecrets(environment), DATA_DIR: join(folder, "data") },
    "0.0.0",
    readShopSettings(SUPPLIERS),
  );

describe.each([
  ["compose.yml", false],
  ["compose.sandbox.yml", true],
])("the processes of %s", (_, sandbox) => {
  const all = processes({ sandbox, env: sandbox ? {} : PRODUCTION });
  const running = [...all].map(([name, { environment }]) => [name, environment] as const);

  test.each(running)("%s starts with what it is given", (_name, environment) => {
    const { natsUrl, mongoUrl, production } = load(environment);
    expect(production).toBe(!sandbox);
    expect(natsUrl).toMatch(/^nats:\/\/partline:\w{48}@nats-1:4222,.*nats-3:4222$/);
    expect(mongoUrl).toMatch(/^mongodb:\/\/partline:\w{48}@mongodb-1:27017,/);
  });

  test("every service and every entry point runs at least twice", () => {
    const runs = running.map(([, environment]) => load(environment).run);
    const counted = (names: readonly string[], of: (run: (typeof runs)[number]) => readonly string[]) =>
      Object.fromEntries(names.map((name) => [name, runs.filter((run) => of(run).includes(name)).length]));
    expect(Object.entries(counted(SERVICE_NAMES, ({ services }) => services)).filter(([, times]) => times < 2)).toEqual(
      [],
    );
    expect(
      Object.entries(counted(ENTRY_POINTS, ({ entryPoints }) => entryPoints)).filter(([, times]) => times < 2),
    ).toEqual([]);
    expect(runs.filter((run) => run.sandbox)).toHaveLength(sandbox ? 1 : 0);
  });

  test("every setting that they are given is one that is read", () => {
    for (const [name, environment] of running) {
      const read = new Set<string>();
      const recorded = new Proxy(withSecrets(environment), {
        get: (target, key: string) => {
          read.add(key);
          return target[key];
        },
      });
      loadSettings(Object.assign(recorded, { DATA_DIR: join(folder, "data") }), "0.0.0", readShopSettings(SUPPLIERS));
      expect([name, Object.keys(environment).filter((setting) => !read.has(setting))]).toEqual([name, []]);
    }
  });

  test("a file that a setting names is a secret of its process, and of the file", () => {
    const known = Object.keys(readCompose("compose.yml").secrets);
    for (const [, { environment, secrets: given = [] }] of all) {
      const named = Object.entries(environment).flatMap(([setting, path]) =>
        setting.endsWith("_FILE") && path !== "" ? [path.replace("/run/secrets/", "")] : [],
      );
      expect(given).toEqual(expect.arrayContaining(named));
      expect(known).toEqual(expect.arrayContaining(given));
    }
  });
});

test("the sandboxes' webhooks are believed, with any files of a provider", () => {
  const all = [...processes({ sandbox: true }).values()].map(({ environment }) => load(environment));
  const signs = all.find(({ run }) => run.sandbox)!;
  for (const { payment, identity } of all) {
    expect([payment.webhookSecret, identity.webhookSecret]).toEqual([
      signs.payment.webhookSecret,
      signs.identity.webhookSecret,
    ]);
  }
});

test("the shop's postal address is not where the proxy listens", () => {
  const { services } = readCompose("compose.yml", { SHOP_ADDRESS: "1 Main St|Austin" });
  expect([services["shop-1"]!.environment!.SHOP_ADDRESS, services.proxy!.environment!.SHOP_SITE_ADDRESS]).toEqual([
    "1 Main St|Austin",
    ":82",
  ]);
});

test("docker/shop.env is for every process, and its example names what is read and what compose.yml leaves free", () => {
  const example = readFileSync(join(DOCKER_DIR, "shop.env.example"), "utf8");
  const named = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name!);
  const { names } = namesRead();
  expect([named.length > 10, named.filter((name) => !names.has(name))]).toEqual([true, []]);
  for (const [name, { env_file: files, environment }] of processes()) {
    expect([name, files]).toEqual([name, [{ path: "./shop.env", required: false }]]);
    expect([name, named.filter((setting) => setting in environment)]).toEqual([name, []]);
  }
});

describe("compose.yml", () => {
  const { services, networks, secrets: declared } = readCompose("compose.yml");

  test("nothing but the proxy is published, and only to this machine by default", () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ["proxy", "127.0.0.1:80:80"],
      ["proxy", "127.0.0.1:443:443"],
      ["proxy", "127.0.0.1:81:81"],
      ["proxy", "127.0.0.1:82:82"],
      ["proxy", "127.0.0.1:83:83"],
    ]);
    expect(networks.back!.internal).toBe(true);
  });

  test("everything comes back by itself, within limits, and waits for what answers", () => {
    for (const [name, { restart, deploy, healthcheck, depends_on: waits = {} }] of Object.entries(services)) {
      if (name === "mongodb-init") continue;
      expect([name, restart, typeof deploy?.resources.limits.memory]).toEqual([name, "unless-stopped", "string"]);
      if (name !== "proxy") expect([name, healthcheck]).toEqual([name, expect.anything()]);
      for (const [other, { condition }] of Object.entries(waits)) {
        expect([other, condition]).toEqual([
          other,
          other === "mongodb-init" ? "service_completed_successfully" : "service_healthy",
        ]);
      }
    }
  });

  test("who says for whom it asks is on a network with the gateways alone", () => {
    const onFront = Object.entries(services)
      .filter(([, { networks: on = [] }]) => on.includes("front"))
      .map(([name]) => name);
    expect(onFront).toEqual(["proxy", "gateway-1", "gateway-2"]);
    expect(services["gateway-1"]!.environment!.TRUSTED_PROXIES).toBe(
      networks.front!.ipam!.config.map(({ subnet }) => subnet).join(),
    );
    for (const [, gateway, port] of readFileSync(join(DOCKER_DIR, "Caddyfile"), "utf8").matchAll(
      / (gateway-\d):(\d+)/g,
    )) {
      expect(services).toHaveProperty(gateway!);
      expect(Object.values(load({ ...processes({ env: PRODUCTION }).get(gateway!)!.environment }).ports)).toContain(
        Number(port),
      );
    }
  });

  test.each(["Caddyfile", "one-server/Caddyfile"])(
    "the bodies that %s lets through are as large as the shop takes",
    (name) => {
      const text = readFileSync(join(DOCKER_DIR, name), "utf8");
      const limited = [...text.matchAll(/@(?:files|manuals|pictures) path (.*)/g)].flatMap(([, paths]) =>
        paths!.split(" "),
      );
      const uploads = Object.values(contractsByName).flatMap(({ actions }: ServiceContract) =>
        Object.values(actions).flatMap(({ http = [] }) => http.filter(({ body }) => body === "stream")),
      );
      expect(uploads.length).toBeGreaterThan(4);
      const isLimited = (path: string): boolean =>
        limited.some((rule) => new RegExp(`^${rule.replaceAll("*", ".*")}$`).test(path));
      expect(uploads.map(({ path }) => path).filter((path) => !isLimited(path))).toEqual([]);
      expect(text.match(/^[^\s#(}].* \{$/gm)).toHaveLength(text.match(/import limits/g)!.length);
    },
  );

  test("the image is built once, and all run it", () => {
    const ours = Object.entries(services).filter(([, { image }]) => image.startsWith("partline:"));
    expect(new Set(ours.map(([, { image }]) => image)).size).toBe(1);
    expect(ours.filter(([, { build }]) => build).map(([name]) => name)).toEqual(["gateway-1"]);
  });

  test("a password that an engine is started with is the secret's", () => {
    const [bash, option, script] = services.elasticsearch!.entrypoint!;
    const [exported, started] = script!.replaceAll("$$", "$").replace("/run/secrets", secrets).split(" && exec ");
    expect([bash, started]).toEqual(["bash", "/bin/tini -- /usr/local/bin/docker-entrypoint.sh eswrapper"]);
    const { stdout } = spawnSync(bash!, [option!, `${exported} && printenv ELASTIC_PASSWORD`], { encoding: "utf8" });
    expect(stdout).toBe(`${readFileSync(join(secrets, "elasticsearch-password"), "utf8").trim()}\n`);
    // It would refuse a file that others may read.
    expect(Object.keys(services.elasticsearch!.environment!).filter((name) => name.endsWith("_FILE"))).toEqual([]);
  });

  test("make-secrets.sh makes every secret, and nothing else does", () => {
    expect(Object.entries(declared).map(([name, { file }]) => [name, file])).toEqual(
      Object.keys(declared).map((name) => [name, `./secrets/${name}`]),
    );
    const made = readdirSync(secrets);
    expect(made).toEqual(expect.arrayContaining(Object.keys(declared)));
    const before = made.map((name) => readFileSync(join(secrets, name), "utf8"));
    makeSecrets(secrets);
    expect(made.map((name) => readFileSync(join(secrets, name), "utf8"))).toEqual(before);
  });
});

test("the sandbox waits for what the processes wait for that wait for it", () => {
  const { depends_on: engines } = readCompose("compose.yml").services["catalog-1"]!;
  const { services } = readCompose("compose.sandbox.yml");
  expect(services.sandbox!.depends_on).toEqual(engines);
  expect(services["catalog-1"]!.depends_on).toEqual({ sandbox: { condition: "service_healthy" } });
});

test("Prometheus asks every container of every process, labels which one it is, and each is traced", () => {
  const names = [...processes().keys()];
  interface Job {
    dns_sd_configs: { names: string[]; type: string; port: number }[];
    relabel_configs: { source_labels: string[]; target_label: string }[];
  }
  const {
    scrape_configs: [ours],
  } = parse(readFileSync(join(DOCKER_DIR, "prometheus/prometheus.yml"), "utf8")) as { scrape_configs: Job[] };
  const { HEALTH_PORT } = Object.fromEntries(
    [...readFileSync(join(DOCKER_DIR, "Dockerfile"), "utf8").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  expect(ours!.dns_sd_configs).toEqual([expect.objectContaining({ names, type: "A", port: Number(HEALTH_PORT) })]);
  expect(ours!.relabel_configs.map(({ source_labels, target_label }) => [target_label, source_labels])).toEqual([
    ["process", ["__meta_dns_name"]],
    ["instance", ["__meta_dns_name", "__address__"]],
  ]);
  const { services } = readCompose("compose.observability.yml");
  // A name has an address on each network of its container, and must be asked on one.
  for (const [, { networks = [] }] of processes())
    expect(networks.filter((network) => services.prometheus!.networks!.includes(network))).toEqual(["back"]);
  expect(
    Object.entries(services).flatMap(([name, { environment }]) =>
      environment?.OTEL_EXPORTER_OTLP_ENDPOINT ? [name] : [],
    ),
  ).toEqual(names);
});

/** The user of EMBEDDINGS_MODEL_DIR brings the first (docs/reference/settings.md); pages are built with the other. */
const BROUGHT = ["onnxruntime-node", "@partline/client"];

describe("the image", () => {
  const text = readFileSync(join(DOCKER_DIR, "Dockerfile"), "utf8");
  const final = text.slice(text.lastIndexOf("\nFROM "));
  const copied = [...text.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, source]) => source!);
  const folders = copied.filter((source) => !source.includes("."));

  test("runs as nobody in particular, without a shell in between, and says whether it is alive", () => {
    expect(/^USER (\S+)$/m.exec(final)?.[1]).toBe("partline");
    expect(/useradd --uid (\d+)/.exec(final)?.[1]).toBe("10001");
    const [, entry] = /^ENTRYPOINT (\[.*\])$/m.exec(final)!;
    expect(JSON.parse(entry!)).toEqual(["/app/node_modules/.bin/node", ...NODE_FLAGS, "bin/start.ts"]);
    expect(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(final)?.[1]).toContain("docker/healthcheck.mjs");
    for (const [name, value] of Object.entries({ ...NODE_ENVIRONMENT, NODE_ENV: "production", HOST: "0.0.0.0" }))
      expect(final).toMatch(new RegExp(`^ENV .*${name}=${value}`, "m"));
  });

  /** As .dockerignore says. */
  const LEFT_OUT =
    /^packages\/(?:[^/]+\/(?:node_modules|test)\/|bench\/src\/|client\/(?:build|src\/contract)\.ts|web\/\.built\/)/;

  test("has every file and package that its code asks for", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: true }>;
    };
    const isInstalled = (name: string): boolean =>
      packages[`node_modules/${name}`] !== undefined && !packages[`node_modules/${name}`]!.dev;
    const missing: string[] = [];
    for (const folder of folders) {
      for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(
        (file) => /\.(ts|mjs)$/.test(file) && !LEFT_OUT.test(`${folder}/${file}`),
      )) {
        const file = join(ROOT, folder, name);
        for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(
          /(?:^(?:import|export)\b[^;]*?from |^import |\bimport\(|import\.meta\.resolve\(|new URL\()"([^"]+)"/gm,
        )) {
          if (specifier.startsWith(".")) {
            const target = relative(ROOT, resolve(dirname(file), specifier));
            if (target !== "" && !copied.some((path) => target === path || target.startsWith(`${path}/`)))
              missing.push(`${relative(ROOT, file)}: ${specifier}`);
          } else if (!specifier.includes(":") && !/\.ts$/.test(specifier)) {
            const [scope, rest] = specifier.split("/");
            const pkg = specifier.startsWith("@") ? `${scope}/${rest}` : scope!;
            if (!isInstalled(pkg) && !builtinModules.includes(pkg) && !BROUGHT.includes(pkg))
              missing.push(`${relative(ROOT, file)}: ${pkg}`);
          }
        }
      }
    }
    expect(missing).toEqual([]);
  });

  test("the builder is sent nothing but what is copied", () => {
    const allowed = readFileSync(join(ROOT, ".dockerignore"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    expect(allowed.sort()).toEqual([...new Set([...copied, "package-lock.json", ".npmrc"])].sort());
  });

  test("its health check fails unless the process answers 200", async () => {
    let status = 503;
    const asked: string[] = [];
    const server = createServer((req, res) => {
      asked.push(req.url!);
      res.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const check = async (...args: string[]): Promise<number> => {
      const child = spawn(process.execPath, [join(DOCKER_DIR, "healthcheck.mjs"), ...args], {
        env: { HOST: "0.0.0.0", HEALTH_PORT: String(port) },
        stdio: "ignore",
      });
      return (await once(child, "exit"))[0] as number;
    };
    expect(await check()).toBe(1);
    status = 200;
    expect(await check("/health/ready")).toBe(0);
    server.close();
    await once(server, "close");
    expect(await check()).toBe(1);
    expect(asked).toEqual(["/health/live", "/health/ready"]);
  });
});

(NATS_SERVER ? test : test.skip)("nats-server takes nats.conf with the secrets beside it", () => {
  const root = join(folder, "nats");
  mkdirSync(join(root, "etc/nats"), { recursive: true });
  cpSync(join(DOCKER_DIR, "nats.conf"), join(root, "etc/nats/nats.conf"));
  cpSync(secrets, join(root, "run/secrets"), { recursive: true });
  const { status, stderr } = spawnSync(NATS_SERVER!, ["-t", "-c", join(root, "etc/nats/nats.conf")], {
    env: { NATS_NAME: "nats-1" },
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("is valid") });
});

(NATS_SERVER ? test : test.skip)("a route between NATS nodes needs the password of the secrets", async () => {
  const root = join(folder, "routes");
  const ports = await freePorts(8);
  const [first, second, stranger, wrong] = [0, 1, 2, 3].map((node) => ({
    client: ports + 2 * node,
    route: ports + 2 * node + 1,
  }));
  mkdirSync(join(root, "etc/nats"), { recursive: true });
  cpSync(secrets, join(root, "run/secrets"), { recursive: true });
  const routes = readFileSync(join(secrets, "nats-cluster.conf"), "utf8");
  writeFileSync(
    join(root, "run/secrets/nats-cluster.conf"),
    routes.replaceAll(/nats-\d:6222/g, `127.0.0.1:${first!.route}`),
  );
  const conf = readFileSync(join(DOCKER_DIR, "nats.conf"), "utf8")
    .replace(/^http:.*$/m, "")
    .replace(/^jetstream.*$/m, "");
  const servers = [first!, second!].map(({ client, route }, node) => {
    const path = join(root, `etc/nats/nats-${node}.conf`);
    writeFileSync(
      path,
      conf.replace("0.0.0.0:4222", `127.0.0.1:${client}`).replace("0.0.0.0:6222", `127.0.0.1:${route}`),
    );
    return ["-c", path];
  });
  const outsiders = [
    [stranger!, ""],
    [wrong!, "route:guessed@"],
  ].map(([at, credentials]) => {
    const { client, route } = at as { client: number; route: number };
    return [
      "-a",
      "127.0.0.1",
      "-p",
      String(client),
      "--cluster_name",
      "partline",
      "--cluster",
      `nats://127.0.0.1:${route}`,
      "--routes",
      `nats://${credentials as string}127.0.0.1:${first!.route}`,
    ];
  });
  const told: Record<number, string> = {};
  const running = [...servers, ...outsiders].map((args, node) => {
    const server = spawn(NATS_SERVER!, args, { env: { NATS_NAME: `nats-${node}` } });
    told[node] = "";
    server.stderr.on("data", (text: Buffer) => (told[node] += text.toString()));
    return server;
  });
  try {
    await eventually(
      () =>
        /Route connection created/.test(told[1]!) &&
        /Authorization Violation/i.test(told[2]!) &&
        /Authorization Violation/i.test(told[3]!),
    );
    expect(told[1]).not.toMatch(/Authorization Violation/i);
  } finally {
    await Promise.all(
      running.map((server) => {
        const gone = once(server, "exit");
        server.kill("SIGKILL");
        return gone;
      }),
    );
  }
});

(hasTool("caddy") ? test : test.skip).each([
  ["", "127.0.0.1"],
  ["127.0.0.1", "203.0.113.9, 127.0.0.1"],
])(
  "behind the outer proxies %j a gateway hears of the clients %j, and of no trace that they began",
  async (OUTER_PROXIES, clients) => {
    const gateway = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, "127.0.0.1");
    await once(gateway, "listening");
    const port = await freePorts(SITES.length);
    const addresses = SITES.map((_, at) => `http://127.0.0.1:${port + at}`);
    const [site, cart, shop, staff] = addresses;
    const home = mkdtempSync(join(folder, "caddy-"));
    writeFileSync(
      join(home, "Caddyfile"),
      readFileSync(join(DOCKER_DIR, "Caddyfile"), "utf8").replaceAll(
        /gateway-\d:\d+/g,
        `127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      ),
    );
    const caddy = spawn("caddy", ["run", "--config", join(home, "Caddyfile"), "--adapter", "caddyfile"], {
      env: {
        ...{ PATH: process.env.PATH, HOME: home, OUTER_PROXIES },
        ...Object.fromEntries(SITES.map((name, at) => [name, addresses[at]])),
      },
      stdio: "ignore",
    });
    try {
      const headers = {
        "X-Forwarded-For": "203.0.113.9",
        traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
        tracestate: "a=b",
      };
      for (const path of [`${site}/api/search`, `${site}/webhooks/stripe`, `${cart}/cart`, `${shop}/`, `${staff}/`]) {
        const heard = await eventually(
          async () => (await (await fetch(path, { headers })).json()) as Record<string, string>,
        );
        expect([heard["x-forwarded-for"], heard["traceparent"], heard["tracestate"]]).toEqual([
          clients,
          undefined,
          undefined,
        ]);
      }
    } finally {
      const gone = once(caddy, "exit");
      caddy.kill("SIGKILL");
      await gone;
      gateway.closeAllConnections();
      gateway.close();
    }
  },
);

(hasTool("docker-compose") ? test : test.skip).each([
  [["compose.yml"]],
  [["compose.yml", "compose.sandbox.yml"]],
  [["compose.yml", "compose.observability.yml"]],
])("docker-compose takes %j", (files) => {
  const { status, stderr } = spawnSync(
    "docker-compose",
    [...files.flatMap((file) => ["-f", join(DOCKER_DIR, file)]), "config", "-q"],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
