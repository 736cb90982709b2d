import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fileURLToPath } from 'node:url';
import {
  isProgramFile,
  variableOf,
  windowsCommand,
  type WindowsSurroundings,
} from '../../../../src/host/processes/windowsCommand.ts';
import { windowsProgram } from '../../../../src/host/processes/windowsProgram.ts';

/** Characters that mean something to `cmd`, to a program or to both. */
const special = ['"', '\\', '%', '^', '&', '|', '<', '>', '(', ')', '!', ';', ',', '=', ' ', '\t'];
const batch = 'C:\\Program Files\\nodejs\\npx.cmd';

/** Where the files are that exist, in the case in which Windows gives them. */
function surroundings(files: readonly string[], env: Record<string, string> = {}): WindowsSurroundings {
  const known = new Set(files.map((file) => file.toLowerCase()));
  return {
    env: { Path: 'C:\\bin;"C:\\Program Files\\nodejs";relative;;.;D:\\tools', ...env },
    cwd: 'C:\\work',
    interpreter: 'C:\\Windows\\system32\\cmd.exe',
    isFile: (file) => known.has(file.toLowerCase()),
  };
}

/**
 * What `cmd` makes of a line: variables filled in at once and not gone through again, then what stands outside
 * of quotes has a meaning. Fails when anything outside has one.
 */
function readByCmd(line: string, isBatch: boolean): string {
  const names = new Map([
    ['PATH', 'C:\\evil" & calc "'],
    ['CD', 'C:\\work'],
  ]);
  const expanded = line.replaceAll(/%([^%:]+)(:~,)?%/g, (text, name: string, nothing?: string) => {
    const value = names.get(name.toUpperCase());
    return value === undefined ? (isBatch ? '' : text) : nothing ? '' : value;
  });
  let isQuoted = false;
  for (const one of expanded) {
    isQuoted = one === '"' ? !isQuoted : isQuoted;
    assert.ok(isQuoted || /[\w" ]/.test(one), `${one} has a meaning in ${expanded}`);
  }
  assert.ok(!isQuoted, `${expanded} does not end its quotes`);
  return expanded;
}

/** What a program makes of its command line: the rules of Microsoft's C runtime since 2008. */
function readByProgram(line: string): readonly string[] {
  const all: string[] = [];
  let current: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const backslashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    const next = line[at + backslashes];
    if (backslashes > 0) {
      current ??= '';
      if (next !== '"') {
        current += '\\'.repeat(backslashes);
        at += backslashes - 1;
      } else {
        current += '\\'.repeat(Math.floor(backslashes / 2));
        at += backslashes - 1;
        if (backslashes % 2 === 1) {
          current += '"';
          at += 1;
        }
      }
    } else if (next === '"') {
      current ??= '';
      if (isQuoted && line[at + 1] === '"') {
        current += '"';
        at += 1;
      } else {
        isQuoted = !isQuoted;
      }
    } else if (next === ' ' && !isQuoted) {
      if (current !== undefined) {
        all.push(current);
      }
      current = undefined;
    } else {
      current = (current ?? '') + (next ?? '');
    }
  }
  return current === undefined ? all : [...all, current];
}

/** What `cmd` is given to run a batch file with these arguments. */
function commandLine(args: readonly string[], file = batch): string {
  const line = windowsCommand(file, args, surroundings([file]))?.args.at(-1) ?? '';
  assert.ok(line.startsWith('"') && line.endsWith('"'), line);
  return line.slice(1, -1);
}

/** The way of the arguments: `cmd /c`, the batch file's `program %*`, the program. */
function received(args: readonly string[]): readonly string[] {
  const first = readByCmd(commandLine(args), false);
  assert.ok(first.startsWith(`"${batch}"`), first);
  return readByProgram(first.slice(batch.length + 2));
}

suite('A batch file on Windows', () => {
  // The arguments that Rust's standard library and cross-spawn try on Windows itself.
  for (const args of [
    ['a', 'b'],
    ['c is for cat', 'd is for dog'],
    ['"', ' "'],
    ['\\', '\\'],
    ['>file.txt'],
    ['&echo hello', '&whoami', '>file.txt'],
    ['!TMP!'],
    ['key=value', '"key=value"', 'key=["value"]', 'key=["my_value]', 'key="value"=5', 'key\\=value'],
    ['', 'a=b'],
    ['key="&whoami"', 'key=[">file.txt"]'],
    ['%hello', '%PATH%', '%%cd:~,%', '%PATH%PATH%', '^%PATH^%'],
    ['">file.txt', 'abc"&echo hello', '123">file.txt', '"&echo hello&whoami.exe'],
    ['hello^"world', 'hello &echo oh no >file.txt'],
    ['()', '[]', '%!', '^<', '>&', '|;', ', ', '!=', '\\*', '"f"', '?.', '=`', "'", '\\"', 'bar\\'],
    ['"foo|bar>baz"', '"(foo|bar>baz|foz)"'],
    ['a;b', 'a&&b', 'a||b', '$(calc)', '`calc`', '^', '^^', 'a^&b', '\t'],
    ['C:\\', 'C:\\a b\\', '\\\\server\\share\\', '\\\\"', '\\\\\\"\\\\'],
    ['{"path":"C:\\\\a & b","args":["%PATH%","x\\"y"]}'],
  ]) {
    test(`gets ${JSON.stringify(args)} as they are`, () => assert.deepEqual(received(args), args));
  }

  test('gets any arguments as they are', () => {
    const text = fc.string({
      unit: fc.constantFrom(...special, 'a', 'PATH', '%PATH%', 'cd:~,', 'é', '👍'),
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            text,
            fc.string().map((one) => one.replaceAll(/[\r\n\0]/g, '')),
          ),
        ),
        (args) => {
          assert.deepEqual(received(args), args);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('gets no argument that a line break would cut short', () => {
    for (const arg of ['a\nb', 'a\rb', 'a\0b']) {
      assert.throws(() => commandLine(['ok', arg]), { code: 'spawnFailed' });
    }
  });

  test('may have a name that looks like a variable', () => {
    assert.equal(commandLine([], 'C:\\%CD%\\a.cmd'), '"C:\\%%cd:~,%CD%%cd:~,%\\a.cmd"');
  });

  test('is quoted in time that grows with its arguments', () => {
    const arg = '\\'.repeat(1_000_000);
    assert.equal(commandLine([`${arg}x`]).length, batch.length + arg.length + 6);
  });
});

suite('A command on Windows', () => {
  const found = (command: string, files: readonly string[], env?: Record<string, string>) =>
    windowsCommand(command, ['x & y'], surroundings(files, env));

  test('is started itself when it is a program', () => {
    assert.deepEqual(found('node', ['C:\\Program Files\\nodejs\\node.exe']), {
      file: 'C:\\Program Files\\nodejs\\node.exe',
      args: ['x & y'],
      isVerbatim: false,
    });
  });

  test('is run by the command interpreter when it is a batch file, with every argument quoted', () => {
    assert.deepEqual(found('npx', [batch, 'C:\\Program Files\\nodejs\\npx']), {
      file: 'C:\\Windows\\system32\\cmd.exe',
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `""${batch}" "x & y""`],
      isVerbatim: true,
    });
  });

  test('is searched in the order of PATH, then of PATHEXT', () => {
    const files = ['D:\\tools\\uvx.exe', 'C:\\bin\\uvx.cmd', 'C:\\bin\\uvx.exe'];
    assert.equal(found('uvx', files)?.file, 'C:\\bin\\uvx.exe');
    assert.equal(found('uvx', files.slice(0, 1))?.file, 'D:\\tools\\uvx.exe');
    assert.equal(found('uvx.exe', files)?.file, 'C:\\bin\\uvx.exe');
    assert.match(String(found('uvx', files, { PATHEXT: '.CMD;.EXE' })?.args.at(-1)), /uvx\.cmd/);
  });

  test('is never searched in the working directory, nor relative to it', () => {
    assert.equal(found('node', ['C:\\work\\node.exe', 'C:\\work\\relative\\node.exe']), undefined);
  });

  test('is relative to the working directory if it is a path', () => {
    assert.equal(found('./node', ['C:\\work\\node.exe'])?.file, 'C:\\work\\node.exe');
    assert.equal(found('..\\bin\\node.exe', ['C:\\bin\\node.exe'])?.file, 'C:\\bin\\node.exe');
    assert.equal(found('D:\\tools\\x', ['D:\\tools\\x.com'])?.file, 'D:\\tools\\x.com');
  });

  test('says what to do when it is a script', () => {
    assert.throws(() => found('server.py', ['C:\\bin\\server.py']), {
      code: 'spawnFailed',
      message:
        'Windows cannot run \'C:\\bin\\server.py\' directly: set "command" to the program that runs it, and add the file to "args"',
    });
  });
});

suite('What is looked for on Windows', () => {
  test('is a file, and not a folder', () => {
    assert.equal(isProgramFile(fileURLToPath(import.meta.url)), true);
    assert.equal(isProgramFile(fileURLToPath(new URL('.', import.meta.url))), false);
  });

  test('is not there if the system cannot look', () => {
    // Longer than any system allows: it refuses to look, as it does for a folder that can't be read.
    assert.equal(isProgramFile(`${fileURLToPath(import.meta.url)}${'x'.repeat(100_000)}.exe`), false);
  });

  test('is in the PATH however that is written', () => {
    for (const name of ['PATH', 'Path', 'path']) {
      assert.equal(variableOf({ HOME: 'h', [name]: 'C:\\bin' }, 'PATH'), 'C:\\bin');
    }
    assert.equal(variableOf({}, 'PATH'), undefined);
  });

  test("is never searched for a program of Windows' own", () => {
    assert.equal(windowsProgram('cmd.exe', { SystemRoot: 'D:\\Win' }), 'D:\\Win\\System32\\cmd.exe');
    assert.equal(windowsProgram('cmd.exe', {}), 'C:\\Windows\\System32\\cmd.exe');
  });
});
