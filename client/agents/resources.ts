/** Pages for agents: the language reference on one page, and a page for each code. */
import type { Judge } from './judge.ts';
import { RpcFailure, rpcCodes } from './rpc.ts';

const markdown = 'text/markdown';

export const resources = [
  {
    uri: 'headwater://reference',
    name: 'reference',
    title: 'The language of sync configs',
    description:
      'The language on one page, with all functions and rules. Read it before you write a sync config.',
    mimeType: markdown,
  },
  {
    uri: 'headwater://codes',
    name: 'codes',
    title: 'Codes',
    description: 'One line for each code of a finding. headwater://codes/CODE is the page of a code.',
    mimeType: markdown,
  },
] as const;

export const resourceTemplates = [
  {
    uriTemplate: 'headwater://codes/{code}',
    name: 'code',
    title: 'A code',
    description: 'The page of a code: why it matters, with a wrong and a right example.',
    mimeType: markdown,
  },
];

export async function readResource(uri: unknown, judge: Judge): Promise<object> {
  const text = await textAt(uri, judge);
  return { contents: [{ uri, mimeType: markdown, text }] };
}

async function textAt(uri: unknown, judge: Judge): Promise<string> {
  if (uri === 'headwater://reference') return judge.reference();
  if (uri === 'headwater://codes') return codeList(judge);
  const code = typeof uri === 'string' ? /^headwater:\/\/codes\/([\w-]{1,100})$/.exec(uri)?.[1] : undefined;
  if (code === undefined) throw none(uri);
  try {
    return (await judge.page(code)).page;
  } catch (error) {
    if (judge.isFailure(error)) throw new RpcFailure(rpcCodes.noResource, error.message);
    throw error;
  }
}

function codeList(judge: Judge): string {
  const lines = judge.codes().map(({ code, severity, title }) => `- ${code} (${severity}): ${title}`);
  return `# Codes\n\n${lines.join('\n')}\n`;
}

function none(uri: unknown): RpcFailure {
  const shown = JSON.stringify(uri)?.slice(0, 200);
  return new RpcFailure(
    rpcCodes.noResource,
    `There is no resource ${shown}. The resources are: ${resources.map((each) => each.uri).join(', ')}, headwater://codes/CODE.`,
  );
}
