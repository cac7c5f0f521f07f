import type { SettingsReader } from "../../../broker/settings/reader.ts";

/** Supplier as declared in its folder in services/catalog/suppliers. */
export interface DeclaredSupplier {
  /** Vendor code, upper case. */
  code: string;
  /** `tire_supplier`: used in metrics and `sources`; settings begin with TIRE_SUPPLIER_. */
  id: string;
  settings: {
    /** Behaviour without an address: a sandbox stands in (production demands an address), or the supplier is off. */
    unset: "sandbox" | "off";
    /** Default spellings of its code in the manufacturer filter of a search. */
    aliases: readonly string[];
    /** Its stand-in, `packages/sandbox/src/{name}/server.ts` at SANDBOX_PORT plus the offset. */
    sandbox: { name: string; offset: number; apiKey: string };
  };
}

export type SupplierSettings = NonNullable<ReturnType<typeof readSupplier>>;

/** Segments of the catalog's other paths, refused as slugs. */
const CATALOG_SEGMENTS = ["import", "refresh", "syncs"];

/** Returns the settings of the active suppliers by code. `X_URL=sandbox` turns on the stand-in, `X_URL=off` none. */
export function readSuppliers(
  reader: SettingsReader,
  suppliers: readonly DeclaredSupplier[],
  { production, sandboxPort }: { production: boolean; sandboxPort: number },
): Record<string, SupplierSettings> {
  return Object.fromEntries(
    suppliers.flatMap((supplier) => {
      const settings = readSupplier(reader, supplier, production, sandboxPort);
      return settings ? [[supplier.code, settings]] : [];
    }),
  );
}

function readSupplier(
  reader: SettingsReader,
  { code, id, settings: declared }: DeclaredSupplier,
  production: boolean,
  sandboxPort: number,
) {
  const name = (what: string): string => `${id.toUpperCase()}_${what}`;
  const setting = name("URL");
  if (reader.isOff(setting)) return undefined;
  const isSandbox = reader.getText(setting) === "sandbox";
  const url = isSandbox ? undefined : reader.getUrl(setting);
  const apiKey = reader.getSecret(name("API_KEY"));
  const slug = readSlug(reader, name("SLUG"), code.toLowerCase());
  const aliases = reader.getList(name("ALIASES")) ?? declared.aliases;
  const isOff = declared.unset === "off" && url === undefined && !isSandbox;
  // A key without an address is a mistake.
  if (isOff && apiKey === undefined) return undefined;
  if (isSandbox && production) reader.noteUnusable(setting, "is the sandbox, which does not run in production");
  const port = sandboxPort + declared.sandbox.offset;
  /** Undefined for the real supplier. */
  const sandbox = isOff || production || url !== undefined ? undefined : { name: declared.sandbox.name, port };
  return {
    /** Name of its address's setting. */
    setting,
    url: url ?? (sandbox ? `http://127.0.0.1:${port}` : isSandbox ? "" : reader.noteMissing(setting)),
    apiKey: apiKey ?? (sandbox ? declared.sandbox.apiKey : reader.noteMissing(name("API_KEY"))),
    /** Path segment of its catalog routes. */
    slug,
    /** Other spellings of its code. */
    aliases,
    sandbox,
  };
}

function readSlug(reader: SettingsReader, name: string, fallback: string): string {
  const slug = reader.getText(name)?.toLowerCase() ?? fallback;
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 40)
    reader.noteUnusable(name, "is not a path segment of letters, digits and single dashes");
  if (CATALOG_SEGMENTS.includes(slug))
    reader.noteUnusable(name, `is a segment of another path: ${CATALOG_SEGMENTS.join(", ")}`);
  return slug;
}
