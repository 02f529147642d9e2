/** Between a process and a storage that is somewhere else: whether the process still hears what happens there. */
export interface StorageLink {
  /** Seconds without any sign that what others store would be heard. */
  silence(): number;
  /** Silent for so long that clients must no longer learn that they are up to date. */
  isLost(): boolean;
  /** Calls back when it is lost, and when it is found again. */
  watch(listener: () => void): () => void;
}

/** Seconds. */
export const lostAfter = 10;
