/** The facts that a workspace remembers about its local service, and the secrets of that service. */
import { randomBytes } from 'node:crypto';
import type { ExtensionContext } from 'vscode';
import { variables } from '../project/localNames.ts';

export type BaseConfig = { readonly kind: 'own' } | { readonly kind: 'file'; readonly path: string };

interface Facts {
  readonly base: BaseConfig;
  readonly port: number;
  readonly databasePort: number;
  /** The files that create the database. They are absent if the service replicates another database. */
  readonly schema: readonly string[];
  /** The sync config for which the database was last prepared. */
  readonly config: string;
  readonly deployOnSave: boolean;
}

export class LocalMemory {
  readonly #context: Pick<ExtensionContext, 'workspaceState' | 'secrets'>;
  readonly #data: string;

  /** @param data the data folder of the service, which has its own secrets */
  constructor(context: Pick<ExtensionContext, 'workspaceState' | 'secrets'>, data: string) {
    this.#context = context;
    this.#data = data;
  }

  get<Name extends keyof Facts>(name: Name): Facts[Name] | undefined {
    return this.#context.workspaceState.get(`local.${name}`);
  }

  async set<Name extends keyof Facts>(name: Name, value: Facts[Name] | undefined): Promise<void> {
    await this.#context.workspaceState.update(`local.${name}`, value);
  }

  /** Returns a secret in base64url, which is created when it is first needed. */
  async secret(kind: 'token' | 'key'): Promise<string> {
    const { secrets } = this.#context;
    // A program that has started both the service and this editor has set the same value for both.
    const given = process.env[variables[kind]];
    if (given) return given;
    const name = `local.${kind}:${this.#data}`;
    const known = await secrets.get(name);
    if (known !== undefined) return known;
    const made = randomBytes(32).toString('base64url');
    await secrets.store(name, made);
    return made;
  }
}
