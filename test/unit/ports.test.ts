import { expect, test } from "@jest/globals";
import { freePorts } from "../support/ports.ts";

test("systems that start beside each other, each in its place, get ports of their own", async () => {
  const firsts = await Promise.all([0, 1, 2].map((place) => freePorts(20, { place })));
  const ports = firsts.flatMap((first) => Array.from({ length: 20 }, (_, offset) => first + offset));
  expect(new Set(ports).size).toBe(60);
});
