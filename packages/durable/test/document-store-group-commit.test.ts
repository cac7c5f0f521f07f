import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupCommit } from "../src/document-store/sqlite/group-commit.ts";
import type { Request } from "../src/document-store/sqlite/protocol.ts";
import { SQLITE } from "../../toolkit/src/sqlite-error.ts";

const insert = (id: string, bytes = 10): Request => ({
  kind: "write",
  collection: "things",
  write: { kind: "insert", document: { _id: id, text: "x".repeat(bytes) } },
});

describe("group commit", () => {
  let directory: string;
  let database: DatabaseSync;
  let group: GroupCommit;
  const ids = (): unknown[] =>
    database
      .prepare("SELECT id FROM things ORDER BY id")
      .all()
      .map(({ id }) => id);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "group-commit-"));
    database = new DatabaseSync(join(directory, "file.sqlite"), { timeout: 50 });
    database.exec("PRAGMA journal_mode = WAL");
    group = new GroupCommit(database);
    expect(group.run([{ kind: "ensure", definition: { name: "things" } }])).toEqual([{ ok: true, value: null }]);
  });
  afterEach(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });

  test("a request that fails leaves its neighbours in the same transaction as they are", () => {
    const replies = group.run([
      insert("a"),
      insert("a"),
      {
        kind: "atomic",
        writes: [
          { collection: "things", write: { kind: "insert", document: { _id: "b" } }, require: false },
          { collection: "things", write: { kind: "insert", document: { _id: "a" } }, require: false },
        ],
      },
      insert("c"),
    ]);
    expect(replies).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "DUPLICATE_KEY" } },
      { ok: false, error: { code: "DUPLICATE_KEY", failedAt: 1 } },
      { ok: true },
    ]);
    expect(ids()).toEqual(["a", "c"]);
  });

  test("one that does not fit on the disk is refused alone, wholly, and goes in when there is room", () => {
    const pages = database.prepare("PRAGMA page_count").get()!["page_count"] as number;
    database.exec(`PRAGMA max_page_count = ${pages + 10}`);
    const large: Request = {
      kind: "atomic",
      writes: [1, 2].map((n) => ({
        collection: "things",
        write: { kind: "insert", document: { _id: `large${n}`, text: "x".repeat(30_000) } },
        require: false,
      })),
    };
    expect(group.run([insert("a"), large, insert("b")])).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "UNAVAILABLE" } },
      { ok: true },
    ]);
    expect(ids()).toEqual(["a", "b"]);
    database.exec("PRAGMA max_page_count = 100000");
    expect(group.run([large])).toMatchObject([{ ok: true }]);
    expect(ids()).toEqual(["a", "b", "large1", "large2"]);
  });

  test("a lock that comes when a group has fallen apart refuses what is left: what was done is not run again", () => {
    const other = new DatabaseSync(join(directory, "file.sqlite"));
    const pages = database.prepare("PRAGMA page_count").get()!["page_count"] as number;
    database.exec(`PRAGMA max_page_count = ${pages + 10}`);
    // All together, the first alone, then the second.
    const run = group.run.bind(group);
    let runs = 0;
    group.run = (requests) => {
      if ((runs += 1) === 3) other.exec("BEGIN IMMEDIATE");
      return run(requests);
    };
    expect(group.run([insert("a"), insert("large", 100_000), insert("b")])).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "UNAVAILABLE" } },
      { ok: false, error: { code: "UNAVAILABLE" } },
    ]);
    other.close();
    expect(ids()).toEqual(["a"]);
  });

  test("a lock is reported at once, and nothing of the group was done", () => {
    const other = new DatabaseSync(join(directory, "file.sqlite"));
    other.exec("BEGIN IMMEDIATE");
    expect(() => group.run([insert("a"), insert("b")])).toThrow(expect.objectContaining({ errcode: SQLITE.BUSY }));
    expect(
      group.refuse(
        [insert("a"), insert("b")],
        Object.assign(new Error("database is locked"), { errcode: SQLITE.BUSY }),
      ),
    ).toMatchObject([
      { ok: false, error: { code: "UNAVAILABLE" } },
      { ok: false, error: { code: "UNAVAILABLE" } },
    ]);
    other.close();
    expect(ids()).toEqual([]);
    expect(group.run([insert("a")])).toMatchObject([{ ok: true }]);
  });
});
