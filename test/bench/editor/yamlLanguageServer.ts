/** The language server for YAML that most editors have: what a sync config is edited with where Headwater is not installed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureCached } from '../../../scripts/rigs/cache.ts';
import { installPackage } from '../../../scripts/rigs/install.ts';
import { root } from '../../../scripts/root.ts';
import { type MeasuredServer, startServer } from './server.ts';

const version = '2.0.0';
export const yamlServerName = `yaml-language-server ${version}`;

/** Into the cache, unless it is there; it knows the keys of a sync config by our schema. */
export async function startYamlServer(): Promise<MeasuredServer> {
  const folder = await ensureCached(`yaml-language-server-${version}`, async (directory) => {
    writeFileSync(join(directory, 'package.json'), '{"private":true}\n');
    await installPackage(`yaml-language-server@${version}`, directory);
  });
  const schema = pathToFileURL(join(root, 'schemas/sync-config.schema.json')).href;
  return startServer({
    args: [join(folder, 'node_modules/yaml-language-server/bin/yaml-language-server')],
    settings: {
      yaml: {
        schemas: { [schema]: '*.yaml' },
        schemaStore: { enable: false },
        validate: true,
        hover: true,
        completion: true,
        format: { enable: true },
      },
    },
  });
}
