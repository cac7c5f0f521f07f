/** Writes the types that openapi-typescript makes of every entry point's description, in the folder of the argument. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { ENTRY_POINTS } from "../../../broker/contract/define.ts";
import { openApiDocument } from "../../../gateway/docs/openapi/document.ts";
import { createRouteTable } from "../../../gateway/http/routes.ts";
import { contracts } from "../../../services/all-contracts.ts";

const settings = { version: "1.2.3", loopback: true, production: false };

for (const entry of ENTRY_POINTS) {
  const document = openApiDocument({ table: createRouteTable(contracts, entry), contracts, settings });
  const types = astToString(await openapiTS(JSON.stringify(document)));
  writeFileSync(join(process.argv[2]!, `${entry}.ts`), types);
}
