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

/**
 * Returns the settings of the suppliers that there are, by their codes. `X_URL=sandbox` is the stand-in of one that is
 * not there otherwise.
 */
export function readSuppliers(
  read: SettingsReader,
  suppliers: readonly DeclaredSupplier[],
  { production, sandboxPort }: { production: boolean; sandboxPort: number },
): Record<string, SupplierSettings> {
  const settingsOf = ({ code, id, settings: declared }: DeclaredSupplier): [string, SupplierSettings][] => {
    const name = (what: string): string => `${id.toUpperCase()}_${what}`;
    const setting = name("URL");
    const isSandbox = read.text(setting) === "sandbox";
    const url = isSandbox ? undefined : read.url(setting);
    const apiKey = read.secret(name("API_KEY"));
    const slug = readSlug(read, name("SLUG"), code.toLowerCase());
    const aliases = read.list(name("ALIASES")) ?? declared.aliases;
    const isOff = declared.unset === "off" && url === undefined && !isSandbox;
    // Whoever names its key means the supplier.
    if (isOff && apiKey === undefined) return [];
    if (isSandbox && production) read.unusable(setting, "is the sandbox, which does not run in production");
    const port = sandboxPort + declared.sandbox.offset;
    const sandbox = isOff || production || url !== undefined ? undefined : { name: declared.sandbox.name, port };
    const settings: SupplierSettings = {
      setting,
      url: url ?? (sandbox ? `http://127.0.0.1:${port}` : isSandbox ? "" : read.missing(setting)),
      apiKey: apiKey ?? (sandbox ? declared.sandbox.apiKey : read.missing(name("API_KEY"))),
      slug,
      aliases,
      sandbox,
    };
    return [[code, settings]];
  };
  return Object.fromEntries(suppliers.flatMap(settingsOf));
}

function readSlug(read: SettingsReader, name: string, fallback: string): string {
  const slug = read.text(name)?.toLowerCase() ?? fallback;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 40)
    read.unusable(name, "is not a path segment of letters, digits and single dashes");
  if (CATALOG_SEGMENTS.includes(slug))
    read.unusable(name, `is a segment of another path: ${CATALOG_SEGMENTS.join(", ")}`);
  return slug;
}
