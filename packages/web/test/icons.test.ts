import { expect, test } from "@jest/globals";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

test("src/icons has the icons that react-admin and the console import, and no others", () => {
  const files = ["node_modules/ra-ui-materialui/dist/**/*.js", "packages/web/src/**/*.tsx"];
  const imports = globSync(files, { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/^import .*["']@mui\/icons-material\/(\w+)/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  const icons = globSync("packages/web/src/icons/*.tsx", { cwd: ROOT }).map((file) => basename(file, ".tsx"));
  expect(icons.sort()).toEqual([...new Set(imports)].sort());
});
