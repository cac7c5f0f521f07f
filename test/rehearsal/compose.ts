/**
 * The processes of docker/compose.yml with compose.sandbox.yml, each with its own environment and secrets by file, on
 * this machine's servers instead of containers: the servers that MONGO_URL, ELASTICSEARCH_URL, REDIS_URL and
 * S3_ENDPOINT name, three NATS nodes of its own by docker/nats.conf (NATS_SERVER_BIN), and Caddy by docker/Caddyfile in
 * front. It runs the tutorial (docs/tutorial.md) through the proxy, has Prometheus's own tool (PROMTOOL) look at
 * metrics and alerts where there is one, then stops and starts each gateway while carts are saved.
 *   node_modules/.bin/node test/rehearsal/compose.ts
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTRY_POINTS } from "../../broker/contract/define.ts";
import { toPortSetting } from "../../broker/settings/addresses.ts";
import { SANDBOX_PORTS } from "../../broker/settings.ts";
import { Member } from "../../packages/bench/src/support/cluster/member.ts";
import { DOCKER_DIR, makeSecrets, processes } from "../support/compose.ts";
import { removeTestIndexes } from "../support/elasticsearch.ts";
import { eventually } from "../support/eventually.ts";
import { putCatalog } from "../support/sandbox-catalog.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { NATS_SERVER } from "../support/nats-server.ts";
import { freePorts, SANDBOX_PORT_COUNT } from "../support/ports.ts";
import { matches, readTours, runTour } from "../support/readme-tour.ts";
import { removeTestBucket, s3TestLocation } from "../support/s3.ts";

process.setMaxListeners(50);
const started: ChildProcess[] = [];
const run = (command: string, args: string[], env: Record<string, string>): void => {
  started.push(spawn(command, args, { env: { ...process.env, ...env }, stdio: "ignore" }));
};
process.once("exit", () => started.forEach((child) => child.kill("SIGKILL")));
const local = (port: number): string => `http://127.0.0.1:${port}`;

const folder = mkdtempSync(join(tmpdir(), "partline-rehearsal-"));
const secrets = join(folder, "run/secrets");
const withSecrets = makeSecrets(secrets);
const secret = (name: string): string => readFileSync(join(secrets, name), "utf8").trim();
const names = [...processes({ sandbox: true }).keys()];
const BLOCK = ENTRY_POINTS.length + 1;
const first = await freePorts(BLOCK * names.length + SANDBOX_PORT_COUNT + 13);
const portOf = (name: string, entry: (typeof ENTRY_POINTS)[number] | "health"): number =>
  first + BLOCK * names.indexOf(name) + (entry === "health" ? BLOCK - 1 : ENTRY_POINTS.indexOf(entry));
const sandboxPort = first + BLOCK * names.length;
const nats = sandboxPort + SANDBOX_PORT_COUNT;
const [proxyPort, cartPort, shopPort, consolePort] = [nats + 9, nats + 10, nats + 11, nats + 12];
const namespace = `partline_rehearsal_${first}_${Date.now()}`;
const s3 = s3TestLocation();
const mongoUrl = mongoTestUrl("rehearsal");

// Three NATS nodes with the password of the secrets.
mkdirSync(join(folder, "etc/nats"), { recursive: true });
const conf = readFileSync(join(DOCKER_DIR, "nats.conf"), "utf8");
const routes = join(secrets, "nats-cluster.conf");
writeFileSync(
  routes,
  readFileSync(routes, "utf8").replace(/nats-(\d):6222/g, (_, node) => `127.0.0.1:${nats + 3 * Number(node) - 1}`),
);
for (const node of [0, 1, 2]) {
  const [client, monitor, route] = [0, 1, 2].map((offset) => `127.0.0.1:${nats + 3 * node + offset}`);
  const path = join(folder, `etc/nats/nats-${node + 1}.conf`);
  writeFileSync(
    path,
    conf
      .replace("0.0.0.0:4222", client!)
      .replace("127.0.0.1:8222", monitor!)
      .replace("0.0.0.0:6222", route!)
      .replace('"/data"', JSON.stringify(join(folder, `nats-${node + 1}`))),
  );
  run(NATS_SERVER!, ["-c", path], { NATS_NAME: `nats-${node + 1}` });
}
for (const node of [0, 1, 2])
  await eventually(async () => (await fetch(`${local(nats + 3 * node + 1)}/healthz`)).status === 200, 30_000);

const put = (name: string, value: string): void => writeFileSync(join(secrets, name), `${value}\n`);
put(
  "nats-url",
  [0, 1, 2].map((node) => `nats://partline:${secret("nats-password")}@127.0.0.1:${nats + 3 * node}`).join(","),
);
put("mongodb-url", mongoUrl);
put("elasticsearch-url", process.env.ELASTICSEARCH_URL!);
put("redis-url", process.env.REDIS_URL!);
put("s3-access-key-id", s3.accessKeyId);
put("s3-secret-access-key", s3.secretAccessKey);

const here = (text: string): string =>
  text
    .replace(/\/\/sandbox:(400\d)/g, (_, port) => `//127.0.0.1:${sandboxPort + Number(port) - 4000}`)
    .replace(/^http:\/\/identity\.localhost:(400\d)$/, (_, port) => local(sandboxPort + Number(port) - 4000))
    .replace(/^http:\/\/127\.0\.0\.1:8000$/, local(proxyPort));
const members = [...processes({ sandbox: true })].map(([name, { environment }]) => {
  const env: Record<string, string> = {
    ...Object.fromEntries(Object.entries(withSecrets(environment)).map(([setting, value]) => [setting, here(value)])),
    PATH: process.env.PATH ?? "",
    DATA_DIR: join(folder, name),
    NATS_NAMESPACE: namespace,
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "5",
    TRUSTED_PROXIES: "127.0.0.1",
    ...(environment.S3_ENDPOINT ? { S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket } : {}),
    ...Object.fromEntries(
      ENTRY_POINTS.map((entry) => [
        toPortSetting(entry),
        String(portOf(name === "sandbox" ? environment.HOST! : name, entry)),
      ]),
    ),
    HEALTH_PORT: environment.HEALTH_PORT ?? String(portOf(name, "health")),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_HOST: "127.0.0.1",
    // On this machine all share an address, and what is internal is open on it, as the tour has it.
    HOST: "127.0.0.1",
    // The tokens' issuer and party are written into the tour's own.
    IDENTITY_AUTHORIZED_PARTIES: "http://127.0.0.1:8000",
  };
  return new Member({ name, role: name, env });
});

console.log(`${names.length} processes, three NATS nodes, Caddy; logs in ${folder}`);
await putCatalog({ mongoUrl }, `${local(proxyPort)}/api/media`);
const startedAt = performance.now();
const isSandbox = ({ name }: Member): boolean => name === "sandbox";
/** As `restart: unless-stopped` does: what finds nobody where it looks is started again. */
const startAgain = async (member: Member, tries = 5): Promise<void> => {
  await member.start().catch((error: unknown) => {
    if (tries === 1) throw error;
    console.log(`${member.name} is started again: ${String(error).trim().split("\n").at(-1)}`);
    return startAgain(member, tries - 1);
  });
};
const sandbox = startAgain(members.find(isSandbox)!);
await Promise.race([
  sandbox,
  eventually(
    async () => (await fetch(`${local(sandboxPort + SANDBOX_PORTS.identity)}/.well-known/jwks.json`)).ok,
    30_000,
  ),
]);
await Promise.all([sandbox, ...members.filter((member) => !isSandbox(member)).map((member) => startAgain(member))]);
console.log(`Ready after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
for (const name of names.filter((other) => other !== "sandbox")) {
  const env = { HOST: "0.0.0.0", HEALTH_PORT: String(portOf(name, "health")) };
  // A catalog process is ready when its index has caught up.
  await eventually(() => {
    const { status, stdout } = spawnSync(process.execPath, [join(DOCKER_DIR, "healthcheck.mjs"), "/health/ready"], {
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${name} is not healthy: ${stdout}`);
    return true;
  }, 60_000);
}
console.log("The health check of each says ready");

const caddyfile = readFileSync(join(DOCKER_DIR, "Caddyfile"), "utf8").replace(
  /(gateway-\d):(\d+)/g,
  (_, name: string, port: string) => {
    const entries = { 8000: "gateway", 3004: "payment", 3000: "cart", 3100: "shop", 3200: "console" } as const;
    return `127.0.0.1:${portOf(name, entries[Number(port) as keyof typeof entries])}`;
  },
);
writeFileSync(join(folder, "Caddyfile"), caddyfile);
run("caddy", ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
  SITE_ADDRESS: `http://127.0.0.1:${proxyPort}`,
  CART_ADDRESS: `http://127.0.0.1:${cartPort}`,
  SHOP_SITE_ADDRESS: `http://127.0.0.1:${shopPort}`,
  CONSOLE_SITE_ADDRESS: `http://127.0.0.1:${consolePort}`,
  HOME: folder,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
});
await eventually(async () => (await fetch(`${local(proxyPort)}/api/search?limit=1`)).status === 200, 60_000);

const steps = readTours();
const addresses: [string, string][] = [
  ...(["cart", "payment", "user", "catalog", "analytics", "ai", "eventstore", "pipeline"] as const).map(
    (entry): [string, string] => [
      local(
        {
          cart: 3000,
          payment: 3004,
          user: 3005,
          catalog: 3010,
          analytics: 3020,
          ai: 8001,
          eventstore: 8002,
          pipeline: 8080,
        }[entry],
      ),
      local(portOf("gateway-2", entry)),
    ],
  ),
  [local(8000), local(proxyPort)],
  [local(3002), local(proxyPort)],
  [local(4001), local(sandboxPort + 1)],
  [local(4002), local(sandboxPort + 2)],
  [local(4005), local(sandboxPort + 5)],
  ["$(cat data/admin-token)", secret("admin-token")],
];
const translated = (text: string): string =>
  addresses.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
const answers = await runTour(steps, translated, 300_000);
const wrong = steps
  .map(({ commands, answer }, index) => ({
    commands,
    expected: answer && translated(answer),
    actual: answers[index] ?? "nothing",
  }))
  .filter(({ expected, actual }) => expected !== undefined && !matches(expected, actual));
for (const step of wrong) console.log(step);
console.log(`The tour through the proxy: ${steps.length - wrong.length} of ${steps.length} steps as printed`);

const { PROMTOOL } = process.env;
const metrics = await fetch(`${local(portOf("gateway-1", "health"))}/metrics`, {
  headers: { "X-Admin-Token": secret("admin-token") },
}).then((answer) => answer.text());
const checks = [
  ["check", "metrics"],
  ["check", "rules", join(DOCKER_DIR, "prometheus/alerts.yml")],
  ["test", "rules", fileURLToPath(new URL("alerts.test.yml", import.meta.url))],
];
const lint = PROMTOOL ? checks.map((args) => spawnSync(PROMTOOL, args, { input: metrics, encoding: "utf8" })) : [];
if (!PROMTOOL) console.log("promtool: not run, as PROMTOOL does not name it");
for (const [index, { status, stdout, stderr }] of lint.entries()) {
  console.log(
    `promtool ${checks[index]!.slice(0, 2).join(" ")}: ${status === 0 && stderr === "" ? "nothing to say" : `${stdout}${stderr}`}`,
  );
}

// Each gateway is stopped and started while carts are saved and read: the proxy has the other one answer. It sends a
// GET again that a gateway dropped, and never a POST.
let isAsking = true;
const statuses: Record<string, number> = {};
const ask = async (method: "GET" | "POST", path: string, body?: object): Promise<void> => {
  const request = {
    method,
    ...(body ? { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {}),
  };
  const status = await fetch(`${local(proxyPort)}${path}`, request).then(
    async (answer) => (await answer.text(), answer.status),
    () => "none",
  );
  statuses[`${method} ${status}`] = (statuses[`${method} ${status}`] ?? 0) + 1;
};
const asking = [0, 1, 2, 3].map(async (shopper) => {
  const items = [
    {
      productId: "kaw-159648141",
      partNumber: "15964-8141",
      title: "Carburetor, Assembly, FS730V",
      quantity: 1,
      unitPrice: 55,
    },
  ];
  for (let visit = 0; isAsking; visit += 1) {
    const cartId = `cart_${Date.now()}_${shopper}x${visit}`;
    await ask("POST", "/api/cart", { cartId, items });
    await ask("GET", `/api/cart/${cartId}`);
  }
});
for (const member of members.filter(({ name }) => name.startsWith("gateway-"))) {
  await member.stop();
  await member.start();
  const { name } = member;
  await eventually(async () => (await fetch(`${local(portOf(name, "gateway"))}/health/ready`)).status === 200, 30_000);
}
isAsking = false;
await Promise.all(asking);
console.log("Requests while each gateway was stopped and started, by status:", statuses);

await Promise.all(members.map((member) => member.stop()));
await removeTestIndexes(`${namespace}_`);
await removeTestBucket(s3);
process.exit(
  wrong.length === 0 &&
    lint.every(({ status }) => status === 0) &&
    Object.keys(statuses).sort().join() === "GET 200,POST 201"
    ? 0
    : 1,
);
