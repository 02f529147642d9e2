/** The connection between a process and a storage elsewhere: whether the process still hears about changes there. */
export interface StorageLink {
  /** Seconds without any sign that what others store would be heard. */
  silence(): number;
  /** Silent for so long that clients must no longer learn that they are up to date. */
  isLost(): boolean;
  /** Calls back when it is lost, and when it is found again. */
  watch(listener: () => void): () => void;
}

/** The number of seconds without a sign of life after which the connection counts as lost. */
export const lostAfter = 10;

/** The number of seconds after which each process has heard of a change, or has disconnected its clients: it may notice late. */
export const heardAfter = 2 * lostAfter;
