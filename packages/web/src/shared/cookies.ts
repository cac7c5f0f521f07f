const YEAR_SECONDS = 31_536_000;

/** Keeps a choice of this browser that the server's half of a page reads too. */
export function keepChoice(name: "language" | "theme" | "machine" | "list", value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

export function forgetChoice(name: "machine"): void {
  document.cookie = `${name}=; path=/; max-age=0; samesite=lax`;
}
