import type { SettingsReader } from "./reader.ts";

/** What the settings need of a supplier with an API of its own, as its folder in services/catalog/suppliers has it. */
export interface DeclaredSupplier {
  /** Vendor code of its parts, upper case. */
  code: string;
  /** `tire_supplier`: settings begin with TIRE_SUPPLIER_; metrics and the `sources` of its parts have it as it is. */
  id: string;
  settings: {
    /** Without an address: its sandbox stands in, so that production demands one; or it is not there. */
    unset: "sandbox" | "off";
    /** Spellings of its code in the manufacturer filter of a search, unless the settings name others. */
    aliases: readonly string[];
    /** What stands in for it: `sandbox/{name}/server.ts`, at SANDBOX_PORT and the offset, for who has the key. */
    sandbox: { name: string; offset: number; apiKey: string };
  };
}

export interface SupplierSettings {
  /** The name of the setting of its address. */
  setting: string;
  url: string;
  apiKey: string;
  /** The path segment of its catalog routes. */
  slug: string;
  /** Other spellings of its code. */
  aliases: readonly string[];
  /** What stands in for it; undefined for the real one. */
  sandbox?: { name: string; port: number };
}

/** Segments of the catalog's other paths: a slug like one of them would lead elsewhere. */
const CATALOG_SEGMENTS = ["import", "refresh", "syncs"];

/** Returns the settings of the suppliers that there are, by their codes. `X_URL=sandbox` is the stand-in. */
export function readSuppliers(
  read: SettingsReader,
  suppliers: readonly DeclaredSupplier[],
  { production, sandboxPort }: { production: boolean; sandboxPort: number },
): Record<string, SupplierSettings> {
  const settingsOf = ({
    code,
    id,
    settings: { unset, ...fallback },
  }: DeclaredSupplier): SupplierSettings | undefined => {
    const name = (what: string): string => `${id.toUpperCase()}_${what}`;
    const setting = name("URL");
    const isSandboxed = read.text(setting) === "sandbox";
    const url = isSandboxed ? undefined : read.url(setting);
    const apiKey = read.secret(name("API_KEY"));
    const slug = readSlug(read, name("SLUG"), code.toLowerCase());
    const aliases = read.list(name("ALIASES")) ?? fallback.aliases;
    if (unset === "off" && url === undefined && !isSandboxed) {
      // Whoever has a key means the supplier.
      if (apiKey !== undefined) read.missing(setting);
      return undefined;
    }
    const common = { setting, slug, aliases };
    if (url !== undefined) return { ...common, url, apiKey: apiKey ?? read.missing(name("API_KEY")) };
    if (production) {
      const unusable = isSandboxed
        ? read.unusable(setting, "is the sandbox, which does not run in production")
        : read.missing(setting);
      return { ...common, url: unusable, apiKey: apiKey ?? read.missing(name("API_KEY")) };
    }
    const port = sandboxPort + fallback.sandbox.offset;
    return {
      ...common,
      url: `http://127.0.0.1:${port}`,
      apiKey: apiKey ?? fallback.sandbox.apiKey,
      sandbox: { name: fallback.sandbox.name, port },
    };
  };
  return Object.fromEntries(
    suppliers.flatMap((supplier) => {
      const settings = settingsOf(supplier);
      return settings ? [[supplier.code, settings] as const] : [];
    }),
  );
}

function readSlug(read: SettingsReader, name: string, fallback: string): string {
  const slug = read.text(name)?.toLowerCase() ?? fallback;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 40)
    read.unusable(name, "is not a path segment of letters, digits and single dashes");
  if (CATALOG_SEGMENTS.includes(slug))
    read.unusable(name, `is a segment of another path: ${CATALOG_SEGMENTS.join(", ")}`);
  return slug;
}
