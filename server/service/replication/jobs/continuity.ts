/**
 * Checks whether the stream of a job continues the stored history: see `history.ts`.
 *
 * 1. If the history of a source has diverged from the stored one, its connection fails before anything is read.
 * 2. The record is read again when a stream begins, because it may have changed since the job began.
 * 3. The history of the source is recorded only if it differs from the recorded one.
 */
import { firstPosition } from '../../ground/logPosition.ts';
import type { Deployment, Provenance } from '../../storage/deployment.ts';
import type { DeploymentStore, ReplicationWriter } from '../../storage/storage.ts';
import type { Source, SourceHistory } from '../source.ts';
import { awaitReunion, provenanceOf, type Reunion, strayFrom } from './history.ts';

interface Parts {
  readonly source: Pick<Source, 'backlog' | 'explain'>;
  readonly store: Pick<DeploymentStore, 'all'>;
  readonly writer: Pick<ReplicationWriter, 'belongTo'>;
}

export class Continuity {
  readonly #parts: Parts;
  /** The source from which the stored rows had been read when the job began. */
  readonly origin: Provenance | undefined;
  /** The record as it was when the stream began. */
  #record: Deployment;
  #connected: SourceHistory | undefined;

  constructor(deployment: Deployment, parts: Parts) {
    this.#parts = parts;
    this.#record = deployment;
    this.origin = deployment.origin;
  }

  /** Checks the history of a connection (invariant 1). */
  connect(history: SourceHistory): void {
    const found = strayFrom(this.#record, history);
    if (found !== undefined) throw this.#parts.source.explain(found);
    this.#connected = history;
  }

  /** Returns the position that the stream must reach before it continues the stored rows. */
  async reunion(): Promise<Reunion> {
    const { source, store } = this.#parts;
    const { id, deploymentName } = this.#record;
    const { confirmed = firstPosition } = await source.backlog(deploymentName);
    this.#record = (await store.all()).find((record) => record.id === id) ?? this.#record;
    const { passed } = this.#record;
    return awaitReunion({ deploymentName, passed, confirmed, explain: source.explain });
  }

  /** Records that the stored rows were read from the connected source. */
  async belong(): Promise<void> {
    if (this.#connected === undefined) return;
    const origin = provenanceOf(this.#connected);
    const { system, branch } = this.#record.origin ?? {};
    if (origin.system !== system || origin.branch !== branch) await this.#parts.writer.belongTo(origin);
  }
}
