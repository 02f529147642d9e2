/**
 * Rows on their way into the storage. Rows that are followed by others are held back, because a transaction costs more than
 * most batches. A full transaction is written while the next one is collected.
 *
 * 1. Rows are written in the order in which they came.
 * 2. At most one batch is being written and one is held back, so that memory contains two transactions at most.
 * 3. The current row of a key includes everything that came before, whether it is stored, being written or held back.
 * 4. After rows that the caller relies on are lost, every later call fails with the same failure: nothing is written after
 *    a gap.
 * 5. Everything else that changes the storage happens after all rows are written, or in the transaction of the last ones.
 */
import type { BatchLimits } from '../../../config/settings.ts';
import type { CurrentRow, WriteBatch } from '../../storage.ts';
import type { Also, BatchWriter } from './batchWriter.ts';
import { type HeldBack, holdBack } from './heldBack.ts';

type Limits = Pick<BatchLimits, 'maxRecordCount' | 'maxEstimatedSize'>;

export class HeldWrites {
  readonly #limits: Limits;
  readonly #batches: Pick<BatchWriter, 'alone' | 'write'>;
  #held: HeldBack;
  #flight: { readonly rows: HeldBack; readonly landing: Promise<void> } | undefined;
  /** Whether the caller relies on rows that are held back or being written. */
  #isOpen = false;
  #lost: { readonly failure: unknown } | undefined;

  constructor(limits: Limits, batches: Pick<BatchWriter, 'alone' | 'write'>) {
    this.#limits = limits;
    this.#batches = batches;
    this.#held = holdBack(limits);
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Fails if rows were lost (invariant 4). */
  demand(): void {
    if (this.#lost !== undefined) throw this.#lost.failure;
  }

  /** Returns the row according to these writes; undefined if they do not contain it. */
  current(table: number, key: string): CurrentRow | 'none' | undefined {
    return this.#held.current(table, key) ?? this.#flight?.rows.current(table, key);
  }

  async add(batch: WriteBatch): Promise<void> {
    this.#held.add(batch);
    if (!batch.goesOn) return this.#write(nothing);
    this.#isOpen = true;
    if (this.#held.isFull()) await this.#takeOff();
  }

  /** Resolves when everything is durable. */
  async settle(): Promise<void> {
    this.demand();
    if (this.#isOpen) await this.#write(nothing);
  }

  /** Runs work in the transaction of the last rows, or in a separate one if there are no rows. */
  async settleWith<T>(also: Also<T>): Promise<T> {
    this.demand();
    return this.#isOpen ? this.#write(also) : this.#batches.alone(also);
  }

  /** Drops the rows that are held back. */
  async discard(): Promise<void> {
    await this.#land();
    this.#held = holdBack(this.#limits);
    this.#isOpen = false;
  }

  async #write<T>(also: Also<T>): Promise<T> {
    try {
      await this.#land();
      const batch = this.#held.batch();
      this.#held = holdBack(this.#limits);
      return await this.#batches.write(batch, also);
    } catch (failure) {
      if (this.#isOpen) this.#lost ??= { failure };
      throw failure;
    } finally {
      this.#isOpen = false;
    }
  }

  async #takeOff(): Promise<void> {
    await this.#land();
    const rows = this.#held;
    this.#held = holdBack(this.#limits);
    const landing = this.#batches.write(rows.batch(), nothing).catch((failure: unknown) => {
      this.#lost = { failure };
    });
    this.#flight = { rows, landing };
  }

  async #land(): Promise<void> {
    await this.#flight?.landing;
    this.#flight = undefined;
    this.demand();
  }
}

const nothing = async () => undefined;
