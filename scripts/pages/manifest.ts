/** Writes the entries of package.json and package.nls.json that are derived from the table of codes and the table of tools. */
import type { Tool } from '../../client/agents/tool.ts';
import { tools } from '../../client/agents/tools.ts';
import type raw from '../../package.json';
import { catalogue } from '../../server/engine/diagnostics/diagnostics.ts';

export function renderManifest(text: string): string {
  const manifest = JSON.parse(text) as typeof raw;
  const { contributes } = manifest;
  contributes.configuration.properties['headwater.diagnostics.severity'].propertyNames.enum =
    Object.keys(catalogue).sort();
  return render({
    ...manifest,
    contributes: { ...contributes, languageModelTools: tools.map(declarationOf) },
  });
}

function declarationOf({ name, sentences, input, touches }: Tool): object {
  return {
    name: `headwater_${name}`,
    toolReferenceName: `headwater-${name.replaceAll('_', '-')}`,
    displayName: `%tool.${name}%`,
    modelDescription: sentences,
    canBeReferencedInPrompt: true,
    icon: '$(beaker)',
    // VS Code asks before it runs a tool that changes anything.
    tags: ['headwater', ...(touches === 'deploys to the local service' ? ['changes'] : [])],
    when: 'isWorkspaceTrusted && (!isWeb || remoteName) && (headwater.found || headwater.target)',
    inputSchema: input,
  };
}

export function renderManifestSentences(text: string): string {
  const others = Object.entries(JSON.parse(text) as Record<string, string>).filter(
    ([key]) => !key.startsWith('tool.'),
  );
  const titles = tools.map(({ name, title }) => [`tool.${name}`, title]);
  return render(Object.fromEntries([...others, ...titles]));
}

function render(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
