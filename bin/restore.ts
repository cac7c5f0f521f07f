import { restore } from "@partline/durable";
import { COMPATIBILITY, IDENTITY_FILE } from "../broker/cluster/compatibility.ts";
import { readEmbeddedDataDir, failBackup, readFolder } from "./backup-command.ts";

const source = readFolder("npm run restore -- FOLDER: makes DATA_DIR, which must not be there, of a backup");
try {
  const dataDir = readEmbeddedDataDir(process.env);
  const { partline, takenAt, files } = await restore(source, dataDir, {
    compatibility: COMPATIBILITY.number,
    identityFile: IDENTITY_FILE,
  });
  console.log(
    `${dataDir} is as it was at ${takenAt} under Partline ${partline} (${files.length} files). The search index is rebuilt at the next start.`,
  );
} catch (error) {
  failBackup(error);
}
