import { describe, expect, test } from "@jest/globals";
import { accessPage } from "../support/reference/access.ts";
import { errorsPage } from "../support/reference/errors.ts";
import { eventsPage } from "../support/reference/events.ts";
import { httpPage } from "../support/reference/http.ts";
import { readPage, recordPage } from "../support/reference/page.ts";
import { namesDescribed, namesRead, settingsPage, withDefaults } from "../support/reference/settings.ts";

describe("the reference pages are what the code says (`npm run docs` makes them)", () => {
  test.each([
    ["settings.md", settingsPage],
    ["http.md", httpPage],
    ["access.md", accessPage],
    ["errors.md", errorsPage],
    ["events.md", eventsPage],
  ])("%s", (name, page) => {
    recordPage(name, page());
    expect(readPage(name)).toBe(page());
  });

  test("settings.md has every setting that the code reads, and no other", () => {
    expect(namesDescribed().sort()).toEqual([...namesRead().names].sort());
  });

  test("settings.md has the defaults of the code", () => {
    const { unset, set } = withDefaults();
    expect(set).toEqual(unset);
  });
});
