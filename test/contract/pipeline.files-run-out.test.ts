import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { fileOf, saying, writtenPdf } from "../support/pdf.ts";

test("a PDF is neither refused nor short of pages because this process may open no more files", async () => {
  const file = fileOf(writtenPdf(["first", "second", "third"].map(saying)));
  const script = fileURLToPath(new URL("./pipeline.few-files.ts", import.meta.url));
  const command = 'ulimit -n 128; exec "$0" --disable-warning=ExperimentalWarning "$@"';
  const { stdout } = await promisify(execFile)("sh", ["-c", command, process.execPath, script, file]);
  const pages = JSON.stringify(["first", "second", "third"]);
  expect(JSON.parse(stdout)).toEqual(["EMFILE", "EMFILE", "EMFILE", '{"pages":3}', "EMFILE", pages]);
}, 60_000);
