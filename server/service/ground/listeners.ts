/** The listeners of an event, in the order in which they were added. */
interface Listeners<Event> {
  /** Adds a listener. Returns the function that removes it. */
  watch(listener: (event: Event) => void): () => void;
  call(event: Event): void;
}

export function createListeners<Event = void>(): Listeners<Event> {
  const listeners = new Set<{ readonly call: (event: Event) => void }>();
  return {
    watch: (call) => {
      const listener = { call };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    call: (event) => {
      for (const { call } of listeners) call(event);
    },
  };
}
