/** Shortest time between announcements, milliseconds. */
const PAUSE_MS = 200;

/** Announces the newest position at once, later ones after a pause. */
export function createAnnouncer(onPosition: (position: number) => void) {
  let newest = 0;
  let announced = 0;
  let pause: NodeJS.Timeout | undefined;
  const announce = (): void => {
    pause = undefined;
    if (newest <= announced) return;
    announced = newest;
    onPosition(newest);
    pause = setTimeout(announce, PAUSE_MS).unref();
  };
  return {
    noteAppended: (position: number): void => {
      newest = Math.max(newest, position);
      if (!pause) announce();
    },
    stop: (): void => clearTimeout(pause),
  };
}
