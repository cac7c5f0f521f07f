import { useEffect, useState } from "react";

const PAUSE_MS = 400;

/** Returns a value once it stops changing, so that not every key asks the server. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
