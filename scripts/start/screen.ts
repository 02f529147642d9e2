/** The final screen, which lists the running programs and their addresses. */
import type { Workbench } from './workbench.ts';

interface ScreenFacts {
  /** The folder of the example, relative to the root of the repository. */
  readonly example: string;
  /** The user who is signed in to the client. */
  readonly user: string;
  readonly service: string;
  readonly database: string;
  /** A link that signs a browser in once. Absent if the service creates none. */
  readonly console: string | undefined;
  readonly data: string;
  readonly workbench: Workbench;
}

export function screen(facts: ScreenFacts): string {
  const { example, user, service, database, data, workbench } = facts;
  const rows = [
    ['Service', service, `syncs what ${example}/sync.yaml says`],
    ['Database', database, `made of ${example}/schema.sql`],
    ...(facts.console === undefined ? [] : [['Console', facts.console, 'shows what syncs; opens once']]),
    ['Client', `${example}/client.mjs`, `signed in as ${user}; its lines begin with client`],
    ['Data', data, 'deleted at the end'],
    ['Workbench', ...placeOf(workbench)],
  ];
  const width = Math.max(...rows.map(([, place = '', about]) => (about === undefined ? 0 : place.length)));
  return [
    '',
    ...rows.map(([name = '', place = '', about = '']) =>
      `  ${name.padEnd(9)}  ${place.padEnd(width)}  ${about}`.trimEnd(),
    ),
    '',
    '  Type a todo and press Enter: it is written into the database, and arrives in the client.',
    ...(workbench.kind === 'missing'
      ? []
      : ['  Change sync.yaml in the workbench, and click Deploy above its first line.']),
    '  Ctrl-C ends it.',
    '',
  ].join('\n');
}

function placeOf(workbench: Workbench): readonly string[] {
  switch (workbench.kind) {
    case 'browser':
      return [workbench.address, 'VS Code with the extension, in your browser'];
    case 'desktop':
      return [`${workbench.program}: closing its window ends it all, too`];
    case 'missing':
      return [`not opened: ${workbench.sentence}`];
  }
}
