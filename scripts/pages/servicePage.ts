/** Writes a page for each error of the service: the data of the catalogue, an explanation, and an example. */
import { basename } from 'node:path';
import { loadSettings } from '../../server/service/config/load.ts';
import {
  entryOf,
  errorBody,
  ServiceError,
  type ServiceErrorCode,
} from '../../server/service/ground/errors.ts';
import { errorGroups, errorTexts } from '../serviceErrors/index.ts';
import type { ErrorText } from '../serviceErrors/text.ts';

type StartText = Extract<ErrorText, { readonly told: 'at the start' }>;

export function renderServicePage(code: ServiceErrorCode): string {
  const { status, name, description } = entryOf(code);
  const text = errorTexts[code];
  const parts = [
    `# ${code}`,
    `**${description}** · ${text.told === 'in answers' ? `HTTP ${status} ` : ''}\`${name}\` · [Errors of the service](../ERRORS.md)`,
    ...(text.told === 'never' ? ['Headwater never returns this error.'] : []),
    `## When\n\n${text.when}`,
    `## What to do\n\n${text.todo}`,
    ...exampleParts(code, text),
  ];
  return `${parts.join('\n\n')}\n`;
}

function exampleParts(code: ServiceErrorCode, text: ErrorText): string[] {
  switch (text.told) {
    case 'in answers':
      return ['## Example', fence('json', bodyOf(code, text.details))];
    case 'at the start':
      return [
        '## Example',
        fence('yaml', text.config.trimEnd()),
        'With it, the service says:',
        fence('text', refusalOf(text)),
      ];
    case 'in diagnostics':
    case 'in the log':
    case 'on the terminal':
      return [`## Example\n\nThis appears ${text.told}:`, fence('text', text.says)];
    case 'never':
      return [];
  }
}

function bodyOf(code: ServiceErrorCode, details: string | undefined): string {
  return JSON.stringify(errorBody(new ServiceError(code, details)), null, 2);
}

/** Returns the error with which the service ends. */
function refusalOf({ config, within }: StartText): string {
  const file = new TextEncoder().encode(config);
  try {
    loadSettings(
      { configPath: 'service.yaml', within },
      {
        env: {},
        folder: '/app',
        readFile: (path) => (basename(path) === 'service.yaml' ? file : undefined),
        exists: () => true,
        real: (path) => path,
        firstLinkIn: () => undefined,
      },
    );
  } catch (error) {
    if (error instanceof ServiceError) return `[${error.code}] ${error.message}`;
    throw error;
  }
  throw new Error(`This config is not refused:\n${config}`);
}

export function renderErrorIndex(): string {
  const groups = errorGroups.map(({ title, errors }) => {
    const rows = (Object.keys(errors) as ServiceErrorCode[]).map((code) => {
      const { status, description } = entryOf(code);
      const shown = errorTexts[code].told === 'in answers' ? String(status) : '';
      return `| [\`${code}\`](errors/${code}.md) | ${shown} | ${description} |`;
    });
    return [`## ${title}`, ['| Code | HTTP | |', '| --- | --- | --- |', ...rows].join('\n')].join('\n\n');
  });
  return `${[introduction, ...groups].join('\n\n')}\n`;
}

const introduction = `# Errors of the service

These codes are in the answers and the log of a running service. Each has a page with its causes and what to do.
PowerSync's tools know these codes, some with the prefix \`PSYNC_\`. The findings of the editor and of \`headwater validate\`
are in [RULES](RULES.md).

An answer is \`{"error": {"code": …}}\` with \`name\`, \`description\`, \`status\` and mostly \`details\`: see an example on each
page. This page and those of the codes are generated from \`server/service/ground/errors.ts\` and \`scripts/serviceErrors/\`, by
\`npm run rules\`.`;

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
