/**
 * Restricts a service config to certain places on the disk. Anyone may have written a config that came with a repository, so a
 * user who runs it on a developer's machine lists the places that it may use: `--within`.
 */
import { join, relative, resolve } from 'node:path';
import { fromNative, isWithin, uriOfPath } from '../../shared/uri.ts';
import type { Problem } from './problem.ts';
import type { Section } from './section.ts';
import type { ServiceSettings } from './settings.ts';
import type { ConfigWorld } from './surroundings.ts';

interface UsedPath {
  /** The absolute path. */
  readonly path: string;
  /** The name of the key, for messages. The value is not shown, because it may come from a variable. */
  readonly name: string;
  /** The place in the config. */
  readonly place: string | undefined;
  /** The kind of access. A written folder must not contain links, because data would be written through them. */
  readonly use: 'read' | 'written';
}

/** @param within the allowed folders and files; the first one is the project */
export function findStrays(
  settings: ServiceSettings,
  root: Section,
  within: readonly string[],
  world: Pick<ConfigWorld, 'folder' | 'real' | 'firstLinkIn'>,
): readonly Problem[] {
  const uriOf = (path: string) => uriOfPath(world.real(path), process.platform);
  const allowed = within.map((path) => uriOf(resolve(world.folder, path)));
  const isAllowed = (path: string): boolean => allowed.some((place) => isWithin(place, uriOf(path)));
  return usedPaths(settings, root, world.folder).flatMap(({ path, name, place, use }) => {
    if (!isAllowed(path)) return [problemOf(`${name} is outside the project. ${remedy}`, place)];
    const link = use === 'written' ? world.firstLinkIn(path) : undefined;
    if (link === undefined) return [];
    const shown = fromNative(relative(path, link), process.platform);
    return [
      problemOf(
        `${name} contains the link ${shown}, and data is not written through links. Remove it.`,
        place,
      ),
    ];
  });
}

const remedy =
  'Name a place inside the project; or, if you trust the project, allow the other place with --allow, or by saying yes when `headwater dev` asks at a terminal.';

function problemOf(sentence: string, place: string | undefined): Problem {
  return { code: 'SVC_S1111', sentence, ...(place !== undefined && { place }) };
}

function usedPaths(settings: ServiceSettings, root: Section, folder: string): readonly UsedPath[] {
  return [
    ...dataIn(settings, root, folder),
    ...scriptsIn(settings, root),
    ...probesIn(settings, root, folder),
  ];
}

function dataIn(
  { storage, connection }: ServiceSettings,
  root: Section,
  folder: string,
): readonly UsedPath[] {
  const place = root.section('storage').placeOf('path') ?? root.placeOf('storage');
  if (storage.type === 'embedded')
    return [{ path: storage.path, name: '`path` of `storage`', place, use: 'written' }];
  if (connection.type !== 'embedded') return [];
  return [{ path: join(folder, '.headwater'), name: 'The folder .headwater', place, use: 'written' }];
}

function scriptsIn({ connection, syncConfig }: ServiceSettings, root: Section): readonly UsedPath[] {
  const [source] = root.section('replication').sections('connections');
  const schema = (connection.type === 'embedded' ? connection.schema : undefined) ?? [];
  const place = source?.placeOf('schema');
  const scripts = schema.map(({ path }): UsedPath => ({ path, name: '`schema`', place, use: 'read' }));
  if (syncConfig === undefined || !('path' in syncConfig.from)) return scripts;
  const key = root.has('sync_config') ? 'sync_config' : 'sync_rules';
  const { path } = syncConfig.from;
  return [
    ...scripts,
    { path, name: `\`path\` of \`${key}\``, place: root.section(key).placeOf('path'), use: 'read' },
  ];
}

function probesIn({ probes }: ServiceSettings, root: Section, folder: string): readonly UsedPath[] {
  if (!probes.files) return [];
  const name = 'The folder .probes, for `healthcheck`,';
  return [{ path: join(folder, '.probes'), name, place: root.placeOf('healthcheck'), use: 'written' }];
}
