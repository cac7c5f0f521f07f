import { COMPATIBILITY } from "../broker/cluster/compatibility.ts";
import { backUp } from "./backup/backup.ts";
import { embeddedDataDir, failed, folderGiven } from "./backup/command.ts";
import { packageVersion } from "./version.ts";

const target = folderGiven(
  "npm run backup -- FOLDER: copies what is in DATA_DIR, also of a running system, into a folder that is not there yet",
);
try {
  const dataDir = embeddedDataDir(process.env);
  const startedAt = performance.now();
  const { files, bytes } = await backUp(dataDir, target, {
    partline: packageVersion(),
    compatibility: COMPATIBILITY.number,
  });
  console.log(
    `${target} holds ${files} files, ${(bytes / 1e6).toFixed(1)} MB, of ${dataDir} (${((performance.now() - startedAt) / 1000).toFixed(1)} s). The admin token is among them.`,
  );
  if (process.env.S3_ENDPOINT) console.log("The objects are on the S3 (S3_ENDPOINT) and not in it.");
} catch (error) {
  failed(error);
}
