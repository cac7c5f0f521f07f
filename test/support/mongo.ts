/**
 * MONGO_URL with a database of its own, `partline_test_…`. It is left behind: a server of the test stack blocks every
 * other database for minutes while it drops one, and its data go with the run.
 */
export function mongoTestUrl(name: string): string {
  const url = new URL(process.env.MONGO_URL!);
  url.pathname = `/partline_test_${name}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  return url.href;
}

/** The setting of a database of its own, where there is a MongoDB; else the stores are embedded. */
export function mongoSetting(name: string): { MONGO_URL?: string } {
  return process.env.MONGO_URL ? { MONGO_URL: mongoTestUrl(name) } : {};
}
