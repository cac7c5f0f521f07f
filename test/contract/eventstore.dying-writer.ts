/** `node eventstore.dying-writer.ts DIRECTORY DOCUMENT`: stores it, and is killed when the desk is to change. */
import { call } from "../../services/contracts.ts";
import { startEventstore } from "./eventstore.quoted.ts";

const [directory, document] = process.argv.slice(2) as [string, string];
const { broker } = await startEventstore(directory, { dies: true });
await call(broker, "eventstore.store", { documents: [JSON.parse(document) as { content: string }] });
