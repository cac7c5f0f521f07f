import { expect, test } from "@jest/globals";
import { withFewFiles } from "../../../test/support/few-files.ts";
import { fileOf, saying, writtenPdf } from "../../../test/support/pdf.ts";

test("a PDF is neither refused nor short of pages because this process may open no more files", async () => {
  const file = fileOf(writtenPdf(["first", "second", "third"].map(saying)));
  const pages = JSON.stringify(["first", "second", "third"]);
  expect(await withFewFiles(new URL("./pipeline.few-files.ts", import.meta.url), file)).toEqual([
    ...["EMFILE", "EMFILE", "EMFILE", '{"pages":3,"chapters":[]}', "EMFILE"],
    pages,
  ]);
}, 60_000);
