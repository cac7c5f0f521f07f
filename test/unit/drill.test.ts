import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { putFault, readFaults } from "../drill/faults.ts";

test.each(readFaults().map((fault) => [fault.fault, fault] as const))("%s: can be put back", (_, fault) => {
  const source = readFileSync(fault.file, "utf8");
  expect(putFault(source, fault)).not.toBe(source);
  expect(fault.suites.filter((suite) => !existsSync(suite))).toEqual([]);
});
