import type { HttpServer } from "../server/http-server.ts";
import type { StartSupplierSandbox, SupplierSandboxOptions } from "./server.ts";

/** Starts the stand-in of a supplier, `NAME/server.ts` of this package. */
export async function startListingSandbox(name: string, options: SupplierSandboxOptions): Promise<HttpServer> {
  const { default: startSandbox } = (await import(`../${name}/server.ts`)) as { default: StartSupplierSandbox };
  return startSandbox(options);
}
