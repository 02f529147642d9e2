/** `npm run english [-- PATH]`: lists sentences that are hard to read, with advice. `-- --record` lowers the recorded counts. */
import { countByRoom, hardTexts, readCounts, recordCounts } from './english/report.ts';

const [asked] = process.argv.slice(2);
const texts = hardTexts(asked === '--record' ? undefined : asked);
if (asked === '--record') {
  const [before, now] = [readCounts(), countByRoom(texts)];
  const grown = Object.entries(now).filter(([room, count]) => count > (before[room] ?? 0));
  for (const [room, count] of grown)
    console.error(
      `${room} has ${count} hard sentences; it had ${before[room] ?? 0}. See npm run english -- ${room}`,
    );
  if (grown.length === 0) recordCounts(now);
  process.exit(grown.length === 0 ? 0 : 1);
}
for (const { path, line, kind, text, constructions } of texts) {
  console.log(`${path}:${line} ${kind}: ${text.slice(0, 160)}`);
  for (const { name, advice } of constructions) console.log(`    ${name}. ${advice}`);
}
console.log(`${texts.length} sentences`);
