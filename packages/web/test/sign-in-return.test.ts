import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { localPath } from "../src/shared/local-path.ts";

test("a sign-in returns to the page that began it", () => {
  expect(localPath("/parts/a?q=1")).toBe("/parts/a?q=1");
  for (const foreign of [
    null,
    "",
    "x",
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "/\t/evil.example",
  ])
    expect([foreign, new URL(localPath(foreign), "http://shop.example").origin]).toEqual([
      foreign,
      "http://shop.example",
    ]);
});

test("a sign-in never returns to another site", () => {
  const text = fc.string({ unit: fc.constantFrom("/", "\\", ".", "@", ":", "a", "\t", "\n", "?", "#", "%2f") });
  fc.assert(
    fc.property(text, (path) => {
      expect(new URL(localPath(path), "http://shop.example").origin).toBe("http://shop.example");
    }),
  );
});
