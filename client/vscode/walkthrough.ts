/** Ticks the steps of the walkthrough. */
import { commands, type Disposable, window } from 'vscode';

/** The names that `completionEvents` in package.json compare `headwater.step` with. */
type Step = 'open' | 'start' | 'deploy' | 'connect';

/**
 * VS Code ticks a step at the moment at which the condition on its context key becomes true, but never if it was already true
 * when VS Code read the walkthrough, which may be as late as when its page is opened. Therefore, the key contains a completed
 * step only for a moment: when the fact is first reported, and each time a tab is opened.
 */
export class Walkthrough implements Disposable {
  readonly #done = new Set<Step>();
  readonly #tabs = window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (opened.length > 0) for (const step of this.#done) pulse(step);
  });

  /** Marks a step as done. It stays done in this window, even if the fact is no longer true. */
  tick(step: Step): void {
    if (this.#done.has(step)) return;
    this.#done.add(step);
    pulse(step);
  }

  dispose(): void {
    this.#tabs.dispose();
  }
}

function pulse(step: Step): void {
  void commands.executeCommand('setContext', 'headwater.step', step);
  void commands.executeCommand('setContext', 'headwater.step', undefined);
}
