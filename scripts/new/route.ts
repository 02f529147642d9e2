/** Creates a route for admins: `POST /api/admin/v1/<name>`. */
import { type Creation, changelogRow, importRow, type Name } from './creation.ts';

export function createRoute({ kebab, camel, pascal }: Name): Creation {
  const path = `/api/admin/v1/${kebab}`;
  const problems = `problemsIn${pascal}`;
  const answer = `answer${pascal}`;
  const table = 'server/service/api/adminRoutes.ts';
  const test = `test/service/api/${camel}.test.ts`;
  return {
    files: {
      [`server/service/api/${camel}.ts`]: `/** TODO: what this route answers, and to whom it is useful. */
import type { Parameters } from '../http/route.ts';
import type { ApiParts } from './parts.ts';

/** Returns a sentence for each wrong parameter. \`parameters.ts\` has checks for the usual ones. */
export function ${problems}(_parameters: Parameters): readonly string[] {
  return [];
}

export async function ${answer}(_parameters: Parameters, _parts: ApiParts): Promise<object> {
  // TODO: return the answer. Take only the parts that it needs: Pick<ApiParts, 'source'>.
  return {};
}
`,
      [test]: `import { expect, test } from 'vitest';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { apiRoutes } from '../../../server/service/assembly/routes.ts';
import type { Call } from '../../../server/service/http/route.ts';

const route = apiRoutes({} as ApiParts).find(({ path }) => path === '${path}');

test('TODO: what the route answers, as a sentence', async () => {
  expect(await route?.answer({ parameters: {} } as Call)).toEqual({ data: 'TODO: the answer' });
});
`,
    },
    rows: [
      importRow(table, `import { ${answer}, ${problems} } from './${camel}.ts';`),
      {
        path: table,
        begin: '\n  return [\n',
        end: '\n  ];',
        text: `
    {
      ...admin,
      path: \`\${root}/${kebab}\`,
      problemsIn: ${problems},
      answer: async ({ parameters }) => ({ data: await ${answer}(parameters, parts) }),
    },`,
      },
      {
        path: 'docs/ADMIN.md',
        begin: '\n| `POST /api/admin/v1/',
        end: '\n| `GET /probes',
        text: `\n| \`POST ${path}\` | TODO: what it answers |`,
      },
      changelogRow(`\`POST ${path}\``),
    ],
    test,
  };
}
