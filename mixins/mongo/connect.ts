import { MongoClient } from "mongodb";

const SERVER_SELECTION_MS = 5_000;
/** Longer than any of our commands takes; without it a connection that went dead would be waited for without end. */
const SOCKET_TIMEOUT_MS = 30_000;
/** For one of the connections (100, or the URL's maxPoolSize), while others have them all. */
const POOL_WAIT_MS = 5_000;

/**
 * A client whose writes are durable once they are answered (majority and journal), and which reads from the primary. A
 * replica set is needed, for transactions. @throws the driver's error when no server answers within five seconds
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
