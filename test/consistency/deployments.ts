/** What was deployed, and what the service must have of it after each restart. */
export interface DeployedVersion {
  /** Before the request: it may be done without an answer. */
  sent(content: string): void;
  acknowledged(content: string): void;
  /** Sentences about what the service says that it has. */
  violationsIn(current: Current): readonly string[];
  /** Nothing is pending, and active is what was acknowledged last, or what was sent later and lost its answer. */
  isSettled(current: Current): boolean;
}

export interface Current {
  /** Undefined while nothing is active. */
  readonly active: string | undefined;
  readonly pending: string | undefined;
}

export function openDeployed(): DeployedVersion {
  const sent: string[] = [];
  let acknowledged = -1;
  return {
    sent: (content) => void sent.push(content),
    acknowledged: (content) => {
      acknowledged = sent.lastIndexOf(content);
    },
    violationsIn: ({ active, pending }) => {
      const strange = [active, pending].filter((each) => each !== undefined && !sent.includes(each));
      // What is newest must be at least as new as what was acknowledged last.
      const newest = Math.max(sent.lastIndexOf(pending ?? ''), sent.lastIndexOf(active ?? ''));
      return [
        ...strange.map(
          (content) => `The service has a config that nobody deployed: ${content?.slice(0, 20)}`,
        ),
        ...(newest < acknowledged ? ['A deploy that was acknowledged is lost.'] : []),
      ];
    },
    isSettled: ({ active, pending }) =>
      active !== undefined && pending === undefined && sent.lastIndexOf(active) >= acknowledged,
  };
}
