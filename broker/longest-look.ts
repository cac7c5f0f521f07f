/** A store, a transport or a node that takes longer has not answered who asks how it is; milliseconds. */
export const LONGEST_LOOK = 2_000;
