import { createBackup, restore } from "@partline/durable";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { collectFacts, findDifferences, type NodeFacts } from "../../broker/cluster/facts.ts";
import type { Settings } from "../../broker/settings.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { Document } from "../../packages/durable/src/document-store/port.ts";
import { openEventLog } from "../../packages/durable/src/event-log/open.ts";
import { openObjectStore } from "../../packages/durable/src/object-store/open.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { testSettings } from "../support/test-settings.ts";

interface Note extends Document {
  n: number;
}

const LEFT_OUT = ["search", "passages", "media-work", "pipeline-work"];
const MADE = { partline: "1.0.0", compatibility: 1, leftOut: LEFT_OUT, identityFile: "identity" };
let folder: string;
let dataDir: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "partline-backup-"));
  dataDir = join(folder, "data");
  target = join(folder, "backup");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a backup", () => {
  test("while all stores are written to is one moment of them: what was noted of an event has its event, and what was written before is there", async () => {
    const documents = await openDocumentStore({ dataDir });
    const events = await openEventLog({ dataDir });
    const notes = documents.collection<Note>({ name: "notes" });
    let written = 0;
    let isWriting = true;
    // As a consumer does: the effect first, and then that it was had.
    const write = async (): Promise<void> => {
      for (; isWriting; written++) {
        const n = written + 1;
        await events.appendToStream({
          event_id: `event-${n}`,
          aggregate_id: "notes",
          aggregate_type: "note",
          event_type: "NOTED",
          data: { n },
          timestamp: new Date(),
        });
        await notes.insertOne({ _id: `note-${n}`, n });
      }
    };
    const writing = write();
    await Promise.race([eventually(() => written >= 20), writing]);
    const before = written;
    await createBackup(dataDir, target, MADE);
    isWriting = false;
    await writing;
    await Promise.all([documents.close(), events.close()]);
    expect(written).toBeGreaterThan(before);

    const again = join(folder, "again");
    await restore(target, again, MADE);
    const restored = {
      documents: await openDocumentStore({ dataDir: again }),
      events: await openEventLog({ dataDir: again }),
    };
    const noted = (await restored.documents.collection<Note>({ name: "notes" }).find({}))
      .map(({ n }) => n)
      .sort((one, other) => one - other);
    const head = await restored.events.head();
    await Promise.all([restored.documents.close(), restored.events.close()]);
    expect(noted).toEqual(Array.from({ length: noted.length }, (_, index) => index + 1));
    expect(noted.length).toBeGreaterThanOrEqual(before);
    expect(noted.length).toBeLessThan(written);
    // The one event whose note was not written yet at that moment.
    expect(head - noted.length).toBeGreaterThanOrEqual(0);
    expect(head - noted.length).toBeLessThanOrEqual(1);
  });

  test("has the objects and the admin token, and nothing that is made again", async () => {
    await (await openDocumentStore({ dataDir })).close();
    await (await openObjectStore({ dataDir })).put("manuals/ab/source.pdf", Readable.from([Buffer.from("%PDF")]));
    for (const made of ["search", "passages", "media-work", "pipeline-work"]) {
      mkdirSync(join(dataDir, made));
      writeFileSync(join(dataDir, made, "index.db"), "");
    }
    // A folder that is made again may be elsewhere.
    symlinkSync(folder, join(dataDir, "search", "elsewhere"));
    writeFileSync(join(dataDir, "objects/.arriving/half"), "");
    // Its name is its uploader's.
    writeFileSync(join(dataDir, "objects/manuals/ab/old.db"), "");
    writeFileSync(join(dataDir, "admin-token"), "secret", { mode: 0o600 });
    await createBackup(dataDir, target, MADE);
    expect((readdirSync(target, { recursive: true }) as string[]).sort()).toEqual([
      "admin-token",
      "backup.json",
      "documents.sqlite",
      "objects",
      "objects/manuals",
      "objects/manuals/ab",
      "objects/manuals/ab/old.db",
      "objects/manuals/ab/source.pdf",
    ]);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, "admin-token")).mode & 0o777).toBe(0o600);
  });

  test("is not taken of what a link leads to, and leaves nothing where it is not taken", async () => {
    await (await openDocumentStore({ dataDir })).close();
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(dataDir, "objects"));
    await expect(createBackup(dataDir, target, MADE)).rejects.toThrow(`${join(dataDir, "objects")} is a symbolic link`);
    expect(readdirSync(folder).sort()).toEqual(["data", "elsewhere"]);
  });

  test.each(["backup", "restore"])("`%s --help` explains it and makes no folder of that name", (command) => {
    mkdirSync(dataDir);
    const run = (option: string) =>
      spawnSync(process.execPath, [join(import.meta.dirname, `../../bin/${command}.ts`), option], {
        cwd: folder,
        env: { ...CHILD_ENVIRONMENT, DATA_DIR: dataDir },
        encoding: "utf8",
      });
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Usage: npm run \w+ -- FOLDER/) });
    expect(run("--to")).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/^Usage: /) });
    expect(readdirSync(folder)).toEqual(["data"]);
  });

  test("overwrites nothing, and needs an embedded store to take", async () => {
    await expect(createBackup(join(folder, "none"), target, MADE)).rejects.toThrow("has no embedded document store");
    await (await openDocumentStore({ dataDir })).close();
    await expect(createBackup(dataDir, join(dataDir, "backup"), MADE)).rejects.toThrow("is in DATA_DIR");
    await createBackup(dataDir, target, MADE);
    await expect(createBackup(dataDir, target, MADE)).rejects.toThrow(`${target} is not empty`);
    await expect(restore(target, dataDir, MADE)).rejects.toThrow(`DATA_DIR ${dataDir} is not empty`);
    const nameless = join(folder, "x".repeat(250));
    await expect(restore(target, nameless, MADE)).rejects.toThrow(`${nameless} cannot be made: this user cannot`);
  });
});

test("what a restore makes is for its owner alone", async () => {
  await (await openDocumentStore({ dataDir })).close();
  await createBackup(dataDir, target, MADE);
  await restore(target, join(folder, "again"), MADE);
  expect(statSync(join(folder, "again")).mode & 0o777).toBe(0o700);
});

test("what a restore makes does not pass for what it was taken of, in a system that this still belongs to", async () => {
  const settings = testSettings({ DATA_DIR: dataDir, SERVICES: "order,search,media,http:cart", ADMIN_TOKEN: "t" });
  const tell = async ({ dataDir }: Pick<Settings, "dataDir">): Promise<NodeFacts> => {
    const documents = await openDocumentStore({ dataDir });
    const told = await collectFacts({ ...settings, dataDir }, documents);
    await documents.close();
    return told;
  };
  const original = await tell(settings);
  await createBackup(dataDir, target, MADE);
  await restore(target, join(folder, "again"), MADE);
  const differing = findDifferences(original, await tell({ dataDir: join(folder, "again") })).map(
    (line) => line.split(":")[0],
  );
  expect(differing).toEqual(["MONGO_URL", "ELASTICSEARCH_URL", "S3_ENDPOINT and S3_BUCKET"]);
});

describe("a restore refuses", () => {
  beforeEach(async () => {
    await (await openDocumentStore({ dataDir })).close();
    await createBackup(dataDir, target, { partline: "2.0.0", compatibility: 2, leftOut: LEFT_OUT });
  });
  const refusal = (compatibility = 2) =>
    restore(target, join(folder, "again"), { compatibility, identityFile: "identity" }).then(
      () => "restored",
      (error: Error) => error.message,
    );

  test("a file that is not what it was", async () => {
    appendFileSync(join(target, "documents.sqlite"), "x");
    expect(await refusal()).toBe("1 of the backup's files are not what they were, documents.sqlite first");
    expect(readdirSync(folder).sort()).toEqual(["backup", "data"]);
  });

  test("a file outside of the backup, before anything is written", async () => {
    const manifest = join(target, "backup.json");
    const text = readFileSync(manifest, "utf8");
    writeFileSync(join(folder, "documents.sqlite"), "another's");
    for (const path of ["../documents.sqlite", "objects/../../documents.sqlite", join(folder, "documents.sqlite")]) {
      writeFileSync(manifest, text.replace('"documents.sqlite"', JSON.stringify(path)));
      expect(await refusal()).toBe(`${manifest} names a file outside of the backup: ${path}`);
    }
    expect(readdirSync(folder).sort()).toEqual(["backup", "data", "documents.sqlite"]);
  });

  test("a backup that was not finished", async () => {
    rmSync(join(target, "backup.json"));
    expect(await refusal()).toBe(`${target} is no complete backup: it has no backup.json`);
  });

  test("one of a later version, which this one could misread", async () => {
    expect(await refusal(1)).toContain("is of Partline 2.0.0, which is newer");
    expect(JSON.parse(readFileSync(join(target, "backup.json"), "utf8"))).toMatchObject({ partline: "2.0.0" });
  });
});
