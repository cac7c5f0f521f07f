import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export const DOCKER_DIR = fileURLToPath(new URL("../../docker", import.meta.url));

export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  secrets?: string[];
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  restart?: string;
  read_only?: boolean;
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  deploy?: { resources: { limits: { cpus: string; memory: string } } };
  depends_on?: Record<string, { condition: string }>;
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  secrets: Record<string, { file: string }>;
}

/** A compose file as it is written, anchors and merges resolved, and `${NAME:-default}` as `env` has it. */
export function readCompose(name: string, env: Record<string, string> = {}): ComposeFile {
  const told = (value: string): string =>
    value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, variable: string, fallback = "") => env[variable] || fallback);
  const written: unknown = parse(readFileSync(join(DOCKER_DIR, name), "utf8"), { merge: true });
  return JSON.parse(JSON.stringify(written), (_, value: unknown) =>
    typeof value === "string" ? told(value) : value,
  ) as ComposeFile;
}

/**
 * The processes of ours in compose.yml, by name, each with its environment; with `sandbox` as compose.sandbox.yml
 * changes them.
 */
export function processes({ sandbox = false, env = {} }: { sandbox?: boolean; env?: Record<string, string> } = {}): Map<
  string,
  ComposeService & { environment: Record<string, string> }
> {
  const files = [readCompose("compose.yml", env), ...(sandbox ? [readCompose("compose.sandbox.yml", env)] : [])];
  const found = new Map<string, ComposeService & { environment: Record<string, string> }>();
  for (const { services } of files) {
    for (const [name, service] of Object.entries(services)) {
      const before = found.get(name);
      if (!before && !service.image.startsWith("partline:")) continue;
      found.set(name, { ...before, ...service, environment: { ...before?.environment, ...service.environment } });
    }
  }
  return found;
}

/** docker/make-secrets.sh into a folder of one's own, and the environments' paths of secrets changed to it. */
export function makeSecrets(folder: string): (environment: Record<string, string>) => Record<string, string> {
  const { status, stderr } = spawnSync(join(DOCKER_DIR, "make-secrets.sh"), [folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return (environment) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, value.replace("/run/secrets", folder)]),
    );
}
