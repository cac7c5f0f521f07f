import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseEnv } from "node:util";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createPrompt } from "../../bin/setup/prompt.ts";
import { applyChanges } from "../../bin/setup/settings-file.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";

const SECRETS = { smtp: "smtp://shop:geheim@127.0.0.1:1", key: "sk_live_geheim", webhook: "whsec_geheim" };
const ANSWERS = ["shop.example", "", "", "jo@shop.example", "", "", "sandbox", "sandbox", "", "/nowhere/data"];

function runSetup(file: string, answers: readonly string[], ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/setup.ts", ...options], {
    env: { ...CHILD_ENVIRONMENT, SETTINGS_FILE: file },
    input: answers.map((answer) => `${answer}\n`).join(""),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const createPath = (): string => join(mkdtempSync(join(tmpdir(), "setup-")), "etc", "partline.env");

test("every value is read as it was written, and other lines stay", () => {
  const name = fc.constantFrom("A", "B_URL", "C");
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("'", '"', "`", "\\", "n", "#", "$", "=", " ") }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const changes = pairs
        .filter(([, text]) => text.trim() === text && text !== "" && !/[\r\n\0]/.test(text))
        .filter(([, text]) => !(text.includes("'") && text.includes("`")))
        .map(([setting, text]) => ({ name: setting, value: text, comment: `Of ${setting}.` }));
      const text = applyChanges("# Kept.\nA=1\nOTHER='x # y'\n", changes);
      const expected = Object.fromEntries(changes.map((change) => [change.name, change.value]));
      expect({ ...parseEnv(text) }).toEqual({ A: "1", OTHER: "x # y", ...expected });
      expect(text.startsWith("# Kept.\n")).toBe(true);
    }),
  );
});

test("a shop on one machine: the file has what the start needs, for its owner alone, and a second run keeps it", () => {
  const file = createPath();
  const { status, stdout } = runSetup(file, [...ANSWERS, "yes"]);
  expect([status, stdout]).toEqual([0, expect.stringContaining("Nothing is missing")]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  const settings = parseEnv(text);
  expect(settings).toMatchObject({
    NODE_ENV: "production",
    STORE_URL: "https://shop.example",
    CONSOLE_URL: "https://console.shop.example",
    PUBLIC_URL: "https://api.shop.example",
    STAFF: "owner:jo@shop.example",
    MAIL_FROM: "jo@shop.example",
    STRIPE_API_BASE: "http://127.0.0.1:4000",
  });
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "ADMIN_TOKEN"])
    expect(stdout).not.toContain(settings[name]);
  const again = runSetup(
    file,
    ANSWERS.map(() => ""),
  );
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining("Nothing has changed.")]);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(runSetup(file, [], "--check")).toMatchObject({ status: 0 });
});

test("another owner takes the place of the owner alone", () => {
  const file = createPath();
  runSetup(file, [...ANSWERS.with(3, "owner:jo@shop.example,clerk:sam@shop.example"), "yes"]);
  runSetup(file, [...ANSWERS.map(() => "").with(3, "kim@shop.example"), "yes"]);
  expect(parseEnv(readFileSync(file, "utf8"))).toMatchObject({
    STAFF: "owner:kim@shop.example,clerk:sam@shop.example",
  });
});

test("nothing is written without a yes, and lines of one's own stay", () => {
  const file = join(mkdtempSync(join(tmpdir(), "setup-")), "partline.env");
  const own = "# Ours.\nSHIP_TO=US,MX\nSTAFF=owner:old@shop.example\n";
  writeFileSync(file, own);
  for (const end of [["no"], []]) {
    expect(runSetup(file, [...ANSWERS, ...end])).toMatchObject({ status: 1 });
    expect(readFileSync(file, "utf8")).toBe(own);
  }
  runSetup(file, [...ANSWERS, "yes"]);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^# Ours\.\nSHIP_TO=US,MX\nSTAFF=.?owner:jo@shop/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("asks again for what the start would refuse, says what a provider objects to, and lists what was skipped", () => {
  const file = createPath();
  const answers = ANSWERS.with(0, "ftp://x").with(5, "nobody").with(6, SECRETS.smtp).with(7, "skip").with(8, "skip");
  answers.splice(1, 0, "shop.example");
  answers.splice(7, 0, "Jo <jo@shop.example>");
  // The mail server does not answer: Enter keeps it.
  answers.splice(9, 0, "");
  const { stdout } = runSetup(file, [...answers, "yes"]);
  expect(stdout).toContain("STORE_URL is not a URL");
  expect(stdout).toContain("MAIL_FROM is no address");
  expect(stdout).toContain("The mail server 127.0.0.1:1 cannot be used: connect ECONNREFUSED");
  expect(stdout).toMatch(/Still to do [^]*STRIPE_SECRET_KEY is not set[^]*STRIPE_WEBHOOK_SECRET is not set/);
  expect(stdout).not.toContain("geheim");
  expect(readFileSync(file, "utf8")).toContain("# STRIPE_SECRET_KEY=\n");
  expect(runSetup(file, [], "--check")).toMatchObject({ status: 1 });
});

test("a terminal shows no secret while it is typed", async () => {
  const asTerminal = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80, setRawMode: () => undefined });
  const [input, output] = [asTerminal(), asTerminal()];
  const prompt = createPrompt({ input, output } as never);
  const answer = prompt.ask("Key", { isSecret: true });
  input.write(`${SECRETS.key}x\u007f\r`);
  expect(await answer).toBe(SECRETS.key);
  const name = prompt.ask("Name");
  input.write("Jo\r");
  expect(await name).toBe("Jo");
  prompt.close();
  const shown = String(output.read());
  expect(shown).toContain("Key: ");
  expect(shown).toContain("Jo");
  expect(shown).not.toContain("geheim");
});
