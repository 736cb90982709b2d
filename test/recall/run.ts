// Prints how often the search over tools finds the right tool among the first five, beside a plain substring search and
// plain BM25: `npm run recall`. Lists each request that fails; with `--sealed`, it counts those requests and lists none.
import { recallRequests, recallTools } from './recallSet.ts';
import { isFound, recallOf, searchesOver } from './searches.ts';

const set = process.argv.includes('--sealed') ? 'sealed' : 'tuning';
const requests = recallRequests(set);
if (!requests) {
  process.stderr.write('There are no sealed requests: test/recall/sealed.json is not there.\n');
  process.exit(1);
}
const tools = recallTools();
const searches = await searchesOver(tools);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(
  `${requests.length} requests over ${tools.length} tools (${set}): the right tool is among the first five`,
);
say('| search          | by the query of a model | as typed |');
say('| --------------- | ----------------------- | -------- |');
for (const [name, search] of [
  ['this extension', searches.ours],
  ['plain substring', searches.substring],
  ['plain BM25', searches.bm25],
] as const) {
  const query = await recallOf(search, requests, 'query');
  const typed = await recallOf(search, requests, 'typed');
  say(`| ${name.padEnd(15)} | ${String(query).padEnd(23)} | ${String(typed).padEnd(8)} |`);
}
if (set === 'tuning') {
  for (const by of ['query', 'typed'] as const) {
    for (const request of requests) {
      if (!(await isFound(searches.ours, request[by], request))) {
        say(`\nNot found by ${by}: ${request[by]}\n  wanted ${request.tools.join(', ')}`);
        say(`  got ${(await searches.ours(request[by])).join(', ')}`);
      }
    }
  }
}
