import { MongoClient } from "mongodb";

/** MONGO_URL with a database of its own. */
export function mongoTestUrl(name: string): string {
  const url = new URL(process.env.MONGO_URL!);
  url.pathname = `/partline_test_${name}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  return url.href;
}

export async function dropMongoDatabase(url: string): Promise<void> {
  const client = await new MongoClient(url).connect();
  await client.db().dropDatabase();
  await client.close();
}
