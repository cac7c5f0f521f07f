/** Sets the clock of a process, of its threads and of its children CLOCK_AHEAD_MS ahead; behind, if negative. */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const RightDate = Date;
const readClock = RightDate.now;

RightDate.now = () => readClock() + AHEAD_MS;
// All dates stay of one class, those that V8 makes too.
globalThis.Date = new Proxy(RightDate, {
  construct: (target, values) => new target(...(values.length === 0 ? [target.now()] : values)),
});
