import { existsSync } from "node:fs";
import { join } from "node:path";
import { createBackup } from "@partline/durable";
import { COMPATIBILITY } from "../broker/cluster/compatibility.ts";
import { DERIVED, readEmbeddedDataDir, failBackup, readFolder } from "./backup-command.ts";
import { readPackageVersion } from "./version.ts";

const target = readFolder(
  "npm run backup -- FOLDER: copies what is in DATA_DIR, also of a running system, into a folder that is not there yet",
);
try {
  const dataDir = readEmbeddedDataDir(process.env);
  const startedAt = performance.now();
  const { files, bytes } = await createBackup(dataDir, target, {
    partline: readPackageVersion(),
    compatibility: COMPATIBILITY.number,
    leftOut: DERIVED,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${target} holds ${files} files, ${(bytes / 1e6).toFixed(1)} MB, of ${dataDir} (${seconds} s).`);
  const hasToken = existsSync(join(target, "admin-token"));
  console.log(
    hasToken ? "The admin token is among them." : "The admin token is not among them: it is in the settings.",
  );
  if (process.env.S3_ENDPOINT) console.log("The objects are on the S3 (S3_ENDPOINT) and not in it.");
} catch (error) {
  failBackup(error);
}
