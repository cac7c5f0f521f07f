/** Sets the clock of a process, of its threads and of its children CLOCK_AHEAD_MS ahead; behind, if negative. */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_MS);
const RightDate = Date;

globalThis.Date = class Date extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }
  static now() {
    return RightDate.now() + AHEAD_MS;
  }
};
