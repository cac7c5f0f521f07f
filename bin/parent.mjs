/** Between two looks, milliseconds. */
const LOOK_MS = 500;

/**
 * Under `npm start`, calls the listener once when the shell between npm and this process has ended: npm sends SIGTERM
 * to that shell alone. (`exec` would help, but cmd has none.) Keeps no process from ending.
 * @param {() => void} listener
 * @returns {() => void} ends the watch
 */
export function whenNpmEnds(listener) {
  if (process.env.npm_lifecycle_event !== "start") return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}
