import type { Api } from '../../api/api.ts';
import { nameOfConfig, namesOf } from '../../api/deployedConfig.ts';
import { harmless } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { accessAnswer } from '../diff/access.ts';
import { changes } from '../diff/lines.ts';
import { planLines } from '../diff/plan.ts';
import { rowsAnswer, rowsOfService } from '../diff/rows.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';
import { nameSyncConfig, readSyncText } from '../project/syncConfig.ts';
import { schemaLookup } from '../schemaLookup.ts';
import { analyzeValid } from '../validate/valid.ts';

export const diff = command({
  name: 'diff',
  summary: 'Compare a sync config with the active one of a service',
  about: `Shows what deploying the file would change: - marks lines that only the active config has, + marks lines that only the
file has. A Headwater service also reports what a deploy would do, as with deploy --plan.

With --access, it shows who gains and who loses rows. It searches small databases for a row or a column that reaches a device
with one config but not with the other. Everything that clients may subscribe to is included, even if no client does. If it
finds no difference, it says whether that is proven. See docs/ACCESS.md.

With --rows, both configs run on existing rows: the rows in an access test file, or with --rows service the rows in the source
database of the service, which must allow queries (debug_api). The users are those in that file, those in another access test
file (--users), or those that are connected (--connected).

With --before, --access and --rows FILE need no service.

Exit code 0: the configs are the same, or no user gains or loses a row; 1: they differ, or no config is active; 2: the service
did not answer.

${aboutToken}`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: {
    ...instanceOptions,
    before: { value: 'FILE', summary: 'Compare with this sync config instead of the active one' },
    access: { summary: 'Show who gains and who loses rows' },
    rows: {
      value: 'FILE',
      summary:
        'Show who gains and who loses rows, among the rows in this access test file, or those of the `service`',
    },
    users: { value: 'FILE', summary: 'Take the users for --rows from this access test file' },
    connected: { summary: 'As users for --rows, take those that are connected to the service' },
    require: {
      value: 'VERDICT',
      choices: ['proven'],
      summary: 'With --access: exit with 1 unless it is `proven` that no user gains or loses anything',
    },
    search: {
      value: 'SECONDS',
      between: [0, 3600],
      summary: 'How long to search each stream that differs (default: 2)',
    },
  },
  examples: [
    'diff sync.yaml',
    'diff --access',
    'diff --access --before deployed.yaml sync.yaml',
    'diff --rows service --connected',
  ],
  run: async (call) => {
    const { text, has, world } = call;
    if (text('rows') === undefined && (has('connected') || text('users') !== undefined))
      throw new CliFailure('--users and --connected need --rows.');
    if (has('connected') && text('users') !== undefined)
      throw new CliFailure('Use --users FILE or --connected, not both.');
    const path = await nameSyncConfig(call);
    const file = { path, text: await readSyncText(path, world.files) };
    const isAsked = text('before') === undefined || text('rows') === rowsOfService || has('connected');
    return isAsked ? withService(call, (api) => compare(call, file, api)) : compare(call, file, undefined);
  },
});

type DiffCall = Call<
  'service' | 'directory' | 'before' | 'access' | 'rows' | 'users' | 'connected' | 'search' | 'require'
>;

/** @param api the service; absent if the comparison needs none */
async function compare(
  call: DiffCall,
  { path, text }: { readonly path: string; readonly text: string },
  api: Api | undefined,
): Promise<Answer> {
  const { world, paint, progress } = call;
  const before = await readBefore(call, api);
  const rows = call.text('rows');
  if (call.has('access') || rows !== undefined) {
    const lookup = await schemaLookup({ ...call, text: () => undefined, texts: () => [] });
    const known = await lookup(path, text);
    const after = analyzeValid(path, text, known).config;
    const old = analyzeValid(before.name, before.text, known).config;
    if (rows !== undefined) {
      const users = call.has('connected') ? 'connected' : call.text('users');
      const question = { before: old, after, rows, users, api, lookup };
      return rowsAnswer(question, { world, paint, progress });
    }
    const seconds = call.number('search') ?? 2;
    const requires = call.text('require') === 'proven' ? 'proven' : undefined;
    return accessAnswer({ before: old, after, known, seconds, requires }, world, paint);
  }
  if (before.text === text)
    return {
      code: 0,
      json: { same: true, ...before.json },
      lines: [
        before.isActive
          ? `${path} is the same as the active config, ${before.name}.`
          : `${path} is the same as ${before.name}.`,
      ],
    };
  const lines = changes(before.text, text);
  const plan = before.isActive ? await api?.plan(text, world.signal) : undefined;
  const { red, green, dim, bold } = paint;
  const tint = { '-': red, '+': green, ' ': (line: string) => line, '@': dim };
  return {
    code: 1,
    json: { same: false, ...before.json, lines, ...(plan && { plan }) },
    lines: [
      bold(`--- ${before.name}`),
      bold(`+++ ${path}`),
      ...lines.map((line) => tint[line[0] as keyof typeof tint](line)),
      ...(plan === undefined ? [] : ['', ...planLines(plan).map(harmless)]),
    ],
  };
}

interface Before {
  readonly name: string;
  /** The names in the answer for programs. */
  readonly json: object;
  readonly text: string;
  readonly isActive: boolean;
}

async function readBefore({ text, world }: DiffCall, api: Api | undefined): Promise<Before> {
  const named = text('before');
  if (named !== undefined)
    return {
      name: named,
      json: { slot: named },
      text: await readSyncText(named, world.files),
      isActive: false,
    };
  const active = (await api?.diagnose({ content: true }, world.signal))?.active;
  if (active?.content === undefined) throw new CliFailure('No sync config is active.', 1);
  return { name: nameOfConfig(active), json: namesOf(active), text: active.content, isActive: true };
}
