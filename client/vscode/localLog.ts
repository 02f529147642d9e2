/** The log of the local service, in an output channel that is created for the first line. */
import { type Disposable, type OutputChannel, window } from 'vscode';
import { followFile } from '../local/log.ts';

export class LocalLog implements Disposable {
  readonly #read: () => string;
  #output: OutputChannel | undefined;

  constructor(file: string) {
    this.#read = followFile(file);
  }

  /** Adds the lines that the service has written since the last call. */
  follow(): void {
    const text = this.#read();
    if (text !== '') this.#channel.append(text);
  }

  add(line: string): void {
    this.#channel.appendLine(line);
  }

  /** Shows the log without moving the focus. */
  show(): void {
    this.follow();
    this.#channel.show(true);
  }

  /** Moves the focus to the log. */
  focus(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#output?.dispose();
  }

  get #channel(): OutputChannel {
    this.#output ??= window.createOutputChannel('Headwater Service', 'log');
    return this.#output;
  }
}
