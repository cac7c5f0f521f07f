/** Prints the part of the TypeScript client that is made from the contracts: packages/client/src/contract.ts. */
import { format } from "prettier";
import { contracts } from "../../../services/all-contracts.ts";
import { clientContract } from "./contract.ts";

process.stdout.write(await format(clientContract(contracts), { parser: "typescript", printWidth: 120 }));
