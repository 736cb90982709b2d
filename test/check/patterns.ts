import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkSync } from 'recheck';
import { sourcePatterns } from './sourcePatterns.ts';

/** Reasons by file and expression, such as `src/a.ts: /a+$/`, or `src/a.ts: new RegExp(name)`. */
type Reasons = Readonly<Record<string, string>>;

/**
 * Why an expression may stay that isn't linear, or whose text is known only when the code runs: what bounds the text that
 * it meets, and to how many characters. Better is a linear expression, or a search in code.
 */
const reasons: Reasons = {};

const root = path.resolve(import.meta.dirname, '../..');
const list = 'test/check/linearPatterns.txt';
const toWrite = "Run 'npm run patterns -- --write', and commit the list.";
const toExplain =
  "or, if its text is bounded and short, add the reason to 'reasons' in test/check/patterns.ts, by file and expression.";

// In this process, and without limits of time: what is found must not depend on how busy the machine is.
process.env['RECHECK_SYNC_BACKEND'] = 'pure';
const limits = {
  timeout: 120_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  // Above this, repetitions with an upper bound are only tried, instead of proven.
  maxRepeatCount: 1_000,
};

/** What a check found. */
export interface PatternReport {
  /** Each expression that is linear, with the first place of it. Those that repeat nothing are left out. */
  readonly linear: ReadonlyMap<string, string>;
  /** What has to change in the sources or the reasons, a line for each fault. */
  readonly faults: readonly string[];
}

/**
 * Checks that each regular expression of a folder takes linear time.
 *
 * @param known expressions that are linear, and are not checked again.
 */
export function checkPatterns(folder: string, known: ReadonlySet<string>, because = reasons): PatternReport {
  const linear = new Map<string, string>();
  const faults: string[] = [];
  const unused = new Set(Object.keys(because));
  for (const { file, line, text, pattern } of patternsIn(folder)) {
    const name = pattern ? String(pattern) : text;
    const key = `${file}: ${name}`;
    const place = `${file}:${line}`;
    if (Object.hasOwn(because, key)) {
      unused.delete(key);
    } else if (pattern === undefined) {
      faults.push(
        `${place}: what ${text} matches is known only when it runs. Make it of texts and of constants at the top of its file ` +
          `whose names nothing else there has, search in code instead (consistsOf finds '*'), ${toExplain}`,
      );
    } else if (repeats(pattern) && !linear.has(name)) {
      const fault = known.has(name) ? undefined : faultOf(pattern);
      if (fault === undefined) {
        linear.set(name, place);
      } else {
        faults.push(
          `${place}: ${name} ${fault}. Write it so that each text matches in one way only, search in code instead ` +
            `(withoutEnd takes the place of 'a+$'), ${toExplain}`,
        );
      }
    }
  }
  for (const key of unused) {
    faults.push(`test/check/patterns.ts: remove the reason for ${key}, which is no longer there.`);
  }
  return { linear, faults };
}

/** In what the list of linear expressions differs from those of the sources, a line for each. */
export function listFaults({ linear }: PatternReport, listed: ReadonlySet<string>): readonly string[] {
  return [
    ...[...linear]
      .filter(([name]) => !listed.has(name))
      .map(([name, place]) => `${place}: ${name} is linear, but not in ${list} yet. ${toWrite}`),
    ...[...listed]
      .filter((name) => !linear.has(name))
      .map((name) => `${list}: ${name} is no longer among the linear expressions of the sources. ${toWrite}`),
  ];
}

function* patternsIn(folder: string) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.ts'),
  );
  for (const found of files.toSorted()) {
    const file = path.posix.join(path.basename(folder), found.replaceAll(path.sep, '/'));
    for (const one of sourcePatterns(file, readFileSync(path.join(folder, found), 'utf8'))) {
      yield { ...one, file };
    }
  }
}

/** Whether it repeats something. Any other expression takes as long at each place of a text. */
function repeats({ source }: RegExp): boolean {
  const bare = source.replaceAll(/\\(?:[pPu]\{[^{}]*\}|[^])/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return /[*+]|\{\d/.test(bare);
}

/** Why an expression isn't linear; undefined if it is. What can't be found out counts as not linear. */
function faultOf({ source, flags }: RegExp): string | undefined {
  const result = checkSync(source, flags, limits);
  switch (result.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return `takes more than linear time (${result.complexity.summary}), such as for ${result.attack.pattern}`;
    case 'unknown':
      return `can't be shown to take linear time (${'message' in result.error ? result.error.message : result.error.kind})`;
  }
}

if (import.meta.main) {
  const [checksAll, writes] = ['--all', '--write'].map((option) => process.argv.includes(option));
  const listed = new Set(readFileSync(path.join(root, list), 'utf8').split('\n').filter(Boolean));
  const report = checkPatterns(path.join(root, 'src'), checksAll ? new Set() : listed);
  if (writes) {
    const names = new Set(report.linear.keys());
    writeFileSync(
      path.join(root, list),
      [...names]
        .toSorted()
        .map((name) => `${name}\n`)
        .join(''),
    );
    for (const name of new Set([...names, ...listed])) {
      if (!names.has(name) || !listed.has(name)) {
        process.stdout.write(`${list}: ${names.has(name) ? 'added' : 'removed'} ${name}\n`);
      }
    }
  }
  const faults = [...report.faults, ...(writes ? [] : listFaults(report, listed))];
  for (const fault of faults) {
    process.stderr.write(`${fault}\n`);
  }
  process.exitCode = faults.length > 0 ? 1 : 0;
}
