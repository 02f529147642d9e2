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

function declarationOf({ name, icon, sentences, input, touches }: Tool): object {
  return {
    name: `headwater_${name}`,
    toolReferenceName: `headwater-${name.replaceAll('_', '-')}`,
    displayName: `%tool.${name}%`,
    userDescription: `%tool.${name}.purpose%`,
    modelDescription: sentences,
    canBeReferencedInPrompt: true,
    icon: `$(${icon})`,
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
  const own = tools.flatMap(({ name, title, purpose }) => [
    [`tool.${name}`, title],
    [`tool.${name}.purpose`, purpose],
  ]);
  return render(Object.fromEntries([...others, ...own]));
}

function render(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
