/** The connection between a process and a remote storage, which shows whether the process still hears of changes there. */
export interface StorageLink {
  /** Returns the seconds since the last sign that changes of other processes would be heard. */
  silence(): number;
  /** Whether the silence is so long that clients must no longer be told that they are up to date. */
  isLost(): boolean;
  /** Adds a listener, which is called when the link is lost or found again. */
  watch(listener: () => void): () => void;
}

/** The number of seconds without a sign of life after which the connection counts as lost. */
export const lostAfter = 10;

/** The number of seconds after which each process has heard of a change or has disconnected its clients. */
export const heardAfter = lostAfter + 2;
