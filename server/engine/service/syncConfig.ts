/** Checks the place of the sync config, and finds the problems of one inside this file. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { lineNumbers } from '../text/lines.ts';
import { sourceMap } from '../yaml/sourceMap.ts';
import { checkFile } from './files.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, placesAt, type ServiceReading, scalarText } from './places.ts';
import type { ServiceWorld } from './world.ts';

export function checkSyncConfig(config: ServiceReading, world: ServiceWorld): Finding[] {
  const sections = ['/sync_config', '/sync_rules'].flatMap((pointer) => config.places.get(pointer) ?? []);
  const [first, second] = sections.sort((a, b) => a.keySpan.start - b.keySpan.start);
  return [
    ...(first && second ? [twice(first, second)] : []),
    ...sections.flatMap((section) => checkSection(config, world, section)),
  ];
}

function twice(first: ConfigPlace, second: ConfigPlace): Finding {
  return finding(
    'service-sync-config-twice',
    second.keySpan,
    {},
    {
      span: first.keySpan,
      message: `The other key is \`${first.name}\`.`,
    },
  );
}

function checkSection(config: ServiceReading, world: ServiceWorld, section: ConfigPlace): Finding[] {
  if (section.node.kind !== 'map') return [];
  const path = config.places.get(`${section.pointer}/path`);
  const content = config.places.get(`${section.pointer}/content`);
  const hasTokens = placesAt(config, '/api/tokens/*').length > 0;
  const used = path ?? content;
  if (used === undefined) return [finding('service-no-sync-config', section.keySpan, { tokens: hasTokens })];
  return [
    ...(hasTokens ? [finding('service-deploy-refused', used.keySpan, {})] : []),
    ...(path && content ? [ignoredContent(path, content)] : []),
    ...(path ? checkFile(path, world) : checkContent(config, used, world)),
  ];
}

function ignoredContent(path: ConfigPlace, content: ConfigPlace): Finding {
  return finding(
    'service-path-and-content',
    content.keySpan,
    {},
    {
      span: path.keySpan,
      message: 'This key takes precedence.',
    },
  );
}

function checkContent(
  { text }: ServiceReading,
  content: ConfigPlace,
  { findInSyncConfig }: ServiceWorld,
): Finding[] {
  const inner = scalarText(content);
  if (inner === undefined || content.node.kind !== 'scalar' || findInSyncConfig === undefined) return [];
  const place = sourceMap(text, content.node);
  const lineOf = lineNumbers(text);
  return findInSyncConfig(inner).map(({ span, related: inInner, ...rest }) => {
    const related = inInner && { ...inInner, span: place(inInner.span) };
    if (related === undefined) return { ...rest, span: place(span) };
    // A line number in the message is that of the second place.
    const args = 'line' in rest.args ? { ...rest.args, line: lineOf(related.span.start) } : rest.args;
    return { ...rest, args, span: place(span), related };
  });
}
