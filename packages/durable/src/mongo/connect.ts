import { MongoClient } from "mongodb";

const SERVER_SELECTION_MS = 5_000;
/** Time limit of a socket, longer than any command takes; without it, a dead connection would block forever. */
const SOCKET_TIMEOUT_MS = 30_000;
/** Longest wait for a connection while all (100, or the URL's maxPoolSize) are taken. */
const POOL_WAIT_MS = 5_000;

/**
 * Acknowledged writes are durable (majority and journal); reads are the primary's. Transactions need a replica set.
 * @throws the driver's error when no server answers within five seconds
 */
export async function connect(url: string): Promise<MongoClient> {
  const client = new MongoClient(url, {
    writeConcern: { w: "majority", journal: true },
    readPreference: "primary",
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: SERVER_SELECTION_MS,
    connectTimeoutMS: SERVER_SELECTION_MS,
    socketTimeoutMS: SOCKET_TIMEOUT_MS,
    waitQueueTimeoutMS: POOL_WAIT_MS,
  });
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}
