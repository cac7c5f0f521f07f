import { expect, test } from "@jest/globals";
import { RecentAnswers } from "../../services/search/recent-answers.ts";

test("an answer is made once for all who ask at the same time and after", async () => {
  const recent = new RecentAnswers();
  let made = 0;
  const ask = () => recent.get({ suggest: "c" }, async () => (made += 1));
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
});

test("what is made when the index changes is not given to those who ask after the change", async () => {
  const recent = new RecentAnswers();
  const before = Promise.withResolvers<string>();
  const first = recent.get("q", () => before.promise);
  recent.clear();
  expect(await recent.get("q", async () => "new")).toBe("new");
  before.resolve("old");
  expect(await first).toBe("old");
  expect(await recent.get("q", async () => "newer")).toBe("new");
});

test("a failure is not kept, and leaves what was made since", async () => {
  const recent = new RecentAnswers();
  const failing = Promise.withResolvers<string>();
  const first = recent.get("q", () => failing.promise);
  recent.clear();
  await recent.get("q", async () => "new");
  failing.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(await recent.get("q", async () => "newer")).toBe("new");
  await expect(recent.get("r", async () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await recent.get("r", async () => "there")).toBe("there");
});
