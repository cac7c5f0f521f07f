import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { ConnectionString } from "mongodb-connection-string-url";
import { toCountryCode } from "@partline/toolkit/pure";
import { findNatsUrlFlaw } from "@partline/durable";

const OCR_LANGUAGES: readonly string[] = ["eng", "deu", "fra", "spa", "por", "ita"];

/** One line for each missing or unusable setting; never a secret's value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Reads typed values from an environment and collects problems. An empty value counts as not set. */
export class SettingsReader {
  readonly #env: NodeJS.ProcessEnv;
  readonly #problems: string[] = [];

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  getText(name: string): string | undefined {
    const value = this.#env[name]?.trim();
    return value === "" ? undefined : value;
  }

  /** NAME, or the content of the file NAME_FILE (a mounted secret). */
  getSecret(name: string): string | undefined {
    const file = this.getText(`${name}_FILE`);
    if (file === undefined) return this.getText(name);
    try {
      return readFileSync(file, "utf8").trim() || undefined;
    } catch (error) {
      this.noteUnusable(`${name}_FILE`, `cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
      return undefined;
    }
  }

  /** A comma list of NATS servers, with or without a scheme; may name files with credentials. */
  getNatsUrl(name: string): string | undefined {
    const value = this.getSecret(name);
    const flaw = value && findNatsUrlFlaw(value);
    if (flaw) this.noteUnusable(name, flaw);
    return value;
  }

  getList(name: string, separator = ","): string[] | undefined {
    const items = this.getText(name)
      ?.split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== "");
    return items?.length ? items : undefined;
  }

  /** Origins of web pages, exactly as browsers send them. */
  getOrigins(name: string): string[] {
    return this.#getListOf(name, isOrigin, "is not an origin like https://shop.example") ?? [];
  }

  /** ISO 3166 codes, in upper case. */
  getCountries(name: string): string[] | undefined {
    const isCountry = (country: string): boolean => toCountryCode(country) !== undefined;
    const countries = this.#getListOf(name, isCountry, "is not an ISO 3166 code of a country, like US");
    return countries?.flatMap((country) => toCountryCode(country) ?? []);
  }

  /** ISO 639-2 codes of languages that OCR can know; English unless set. */
  getOcrLanguages(name: string): string[] {
    const isLanguage = (code: string): boolean => OCR_LANGUAGES.includes(code);
    return this.#getListOf(name, isLanguage, `is not one of ${OCR_LANGUAGES.join(", ")}`) ?? ["eng"];
  }

  /** IP addresses, and networks with a prefix length. */
  getNetworks(name: string): string[] {
    return this.#getListOf(name, isNetwork, "is neither an IP address nor a network like 10.0.0.0/8") ?? [];
  }

  #getListOf(name: string, fits: (item: string) => boolean, flaw: string): string[] | undefined {
    const items = this.getList(name);
    const wrong = items?.find((item) => !fits(item));
    if (wrong !== undefined) this.noteUnusable(name, `"${wrong}" ${flaw}`);
    return items;
  }

  /** Off unless set. */
  getFlag(name: string): boolean {
    const value = this.getText(name)?.toLowerCase() ?? "off";
    if (["on", "true", "1", "yes"].includes(value)) return true;
    if (!["off", "false", "0", "no"].includes(value)) this.noteUnusable(name, "is neither on nor off");
    return false;
  }

  getOneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.getText(name)?.toLowerCase();
    if (value === undefined) return fallback;
    const choice = allowed.find((candidate) => candidate === value);
    if (choice === undefined) this.noteUnusable(name, `is not one of ${allowed.join(", ")}`);
    return choice ?? fallback;
  }

  getInteger(name: string, { min, max }: { min: number; max: number }): number | undefined {
    return this.#getNumber(
      name,
      `a whole number from ${min} to ${max}`,
      (n) => Number.isInteger(n) && n >= min && n <= max,
    );
  }

  getRatio(name: string): number | undefined {
    return this.#getNumber(name, "a number from 0 to 1", (n) => n >= 0 && n <= 1);
  }

  getPort(name: string, fallback: number): number {
    return (
      this.#getNumber(name, "a port from 1 to 65535", (n) => Number.isInteger(n) && n >= 1 && n <= 65_535) ?? fallback
    );
  }

  #getNumber(name: string, expected: string, fits: (number: number) => boolean): number | undefined {
    const value = this.getText(name);
    if (value === undefined) return undefined;
    if (!fits(Number(value))) this.noteUnusable(name, `is not ${expected}`);
    return Number(value);
  }

  /** Reads a URL, without a trailing slash. It may carry credentials, so it may come from a file. */
  getUrl(name: string, protocols: readonly string[] = ["http:", "https:"]): string | undefined {
    const value = this.getSecret(name);
    if (value === undefined) return undefined;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      this.noteUnusable(name, `is not a URL with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`);
    }
    return value.replace(/\/+$/, "");
  }

  /** Returns a reader of settings that are required, or have the sandbox's value. */
  createRequiredReader(isRequired: boolean): (name: string, sandboxValue: string) => string {
    return (name, sandboxValue) => this.getSecret(name) ?? (isRequired ? this.noteMissing(name) : sandboxValue);
  }

  /** Returns whether a provider's address says that the shop has none. */
  isOff(name: string): boolean {
    return this.getText(name)?.toLowerCase() === "off";
  }

  /** A MongoDB connection string; with several hosts it is no URL. */
  getMongoUrl(name: string): string | undefined {
    const value = this.getSecret(name);
    if (value === undefined) return undefined;
    try {
      new ConnectionString(value);
    } catch {
      this.noteUnusable(name, "is not a connection string with mongodb:// or mongodb+srv://");
    }
    return value;
  }

  /** Reads JSON. With `file`, the value may also be the path of a file with the JSON. */
  getJson<T>(name: string, parse: (value: unknown) => T, { file = false } = {}): T | undefined {
    const value = this.getText(name);
    if (value === undefined) return undefined;
    try {
      return parse(JSON.parse(file && !/^[[{]/.test(value) ? readFileSync(value, "utf8") : value));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === undefined ? message : `cannot be read (${code})`;
      this.noteUnusable(name, error instanceof SyntaxError ? "is not JSON" : why);
      return undefined;
    }
  }

  /** `off`, or `N/SECONDS`. */
  rateLimit(name: string, fallback: { requests: number; seconds: number } | undefined) {
    const value = this.getText(name);
    if (value === undefined) return fallback;
    if (value === "off") return undefined;
    const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(value);
    if (!match) this.noteUnusable(name, "is neither `off` nor N/SECONDS");
    return match ? { requests: Number(match[1]), seconds: Number(match[2]) } : undefined;
  }

  /** A time like `6h`, milliseconds; undefined for `off` and 0. */
  getDuration(name: string, fallback: number): number | undefined {
    const value = this.getText(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (value === "off" || value === "0") return undefined;
    const match = /^([1-9]\d{0,5})([smhd])$/.exec(value);
    if (!match) this.noteUnusable(name, "is neither `off` nor a time like 90s, 30m, 6h or 1d");
    return match ? Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS] : undefined;
  }

  /** Notes a missing setting; returns an empty string until `throwIfBroken`. */
  noteMissing(name: string): string {
    this.#problems.push(`${name} is not set`);
    return "";
  }

  noteUnusable(name: string, why: string): void {
    this.#problems.push(`${name} ${why}`);
  }

  throwIfBroken(): void {
    if (this.#problems.length > 0) throw new SettingsError(this.#problems.join("\n"));
  }
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns whether a text is what a page under http or https sends as Origin. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && origin === text;
}

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
}
