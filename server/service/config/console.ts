/** Reads whether the service has a console, and under which host names. */
import { isHostName } from '../../engine/index.ts';
import type { Section } from './section.ts';
import type { ServiceSettings } from './settings.ts';

export function decodeConsole(root: Section): Pick<ServiceSettings, 'console' | 'consoleHosts'> {
  if (!root.has('console')) return {};
  if (typeof root.value.console === 'boolean') return { console: root.value.console };
  const section = root.section('console');
  const consoleHosts = section.texts('hosts');
  const wrong = consoleHosts.find((name) => !isHostName(name));
  if (wrong !== undefined)
    section.refuse(
      `${JSON.stringify(wrong)} is not a host name. Write it as in \`sync.example.com\` or \`sync.example.com:8443\`.`,
      { key: 'hosts' },
    );
  return { console: true, consoleHosts };
}
