const PREFIX = "desk ";

/** Where the tab keeps what its user has asked. */
export const talkKey = (userId: string | undefined): string => `${PREFIX}${userId ?? ""}`;

/** The next person at this tab may be another one, a guest too. */
export function forgetTalks(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
