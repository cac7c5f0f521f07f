import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { restartEngine } from "../src/support/cluster/engines.ts";
import { freePorts } from "../../../test/support/ports.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

/** A folder whose scripts write down what they were asked, and run this besides. */
function scriptsThat({ down = "", up = "" }): { folder: string; asked: () => string } {
  const folder = mkdtempSync(join(tmpdir(), "partline-scripts-"));
  for (const [name, also] of Object.entries({ down, up })) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $1 $TMPDIR_OF_TEST" >> "${folder}/asked"\n${also}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, asked: () => readFileSync(join(folder, "asked"), "utf8") };
}

test("an engine is stopped and started by its name, in the environment that the run has", async () => {
  process.env.TMPDIR_OF_TEST = "here";
  const { folder, asked } = scriptsThat({});
  await restartEngine(folder, "mongo", `mongodb://127.0.0.1:${await freePorts(1)}/partline?directConnection=true`);
  expect(asked()).toBe("down mongo here\nup mongo here\n");
  delete process.env.TMPDIR_OF_TEST;
});

test("one that goes on after a stop signal is no engine of these scripts", async () => {
  const { folder } = scriptsThat({});
  server = createServer();
  await once(server.listen(await freePorts(1), "127.0.0.1"), "listening");
  await expect(
    restartEngine(folder, "redis", `redis://127.0.0.1:${(server.address() as { port: number }).port}`),
  ).rejects.toThrow("redis took connections after");
});

test("one that does not start again breaks the run off, with what its script says", async () => {
  const { folder } = scriptsThat({ up: "echo 'port is taken' >&2; exit 1" });
  await expect(restartEngine(folder, "s3", `http://127.0.0.1:${await freePorts(1)}`)).rejects.toThrow("port is taken");
});
