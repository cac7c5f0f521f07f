import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { constants, getPriority } from "node:os";

const MODULE = new URL("../src/child-process.ts", import.meta.url).href;
const SCRIPT = `import { getPriority } from "node:os"; import { workForParent } from "${MODULE}"; workForParent(); console.log(getPriority()); process.exit(0);`;

test.each([0, 12])(
  "a process that works for another, by %d nicer than this one, gives way to it and takes nothing back",
  (nicer) => {
    const { stdout } = spawnSync(
      "nice",
      [
        "-n",
        String(nicer),
        process.execPath,
        "--disable-warning=ExperimentalWarning",
        "--input-type=module",
        "-e",
        SCRIPT,
      ],
      { encoding: "utf8" },
    );
    expect(Number(stdout)).toBe(
      Math.max(
        Math.min(getPriority() + nicer, constants.priority.PRIORITY_LOW),
        constants.priority.PRIORITY_BELOW_NORMAL,
      ),
    );
  },
);
