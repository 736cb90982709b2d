import { baseName, isPackageRunner } from './packageRunners.ts';

const posixShells = new Set('sh bash zsh dash ksh ash fish csh tcsh busybox'.split(' '));

/** For each interpreter, the options behind which code stands. */
const codeOptions: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, /^(?:-[a-z]*[ep]|--eval|--print)(?:=|$)/],
  [/^deno$/, /^eval$/],
  [/^(?:python|pypy)[\d.]*$|^py$/, /^-[a-z]*c/i],
  [/^(?:perl|ruby|lua|luajit)[\d.]*$/, /^-[a-z]*e/i],
  [/^php[\d.]*$/, /^-r/],
];

/** Options that take the word after them, and are no reason to look no further. */
const valueOption =
  /^(?:-[rCIWX]|--(?:require|import|loader|experimental-loader|conditions|env-file|title))$/;

/** The shell among the words that is given code to run, such as `bash -c` or `cmd /c`. */
export function shellWithCode(words: readonly string[]): string | undefined {
  const index = words.findIndex((word, at) => {
    const rest = words.slice(at + 1);
    const name = baseName(word);
    if (posixShells.has(name)) {
      return rest.some((one) => /^-[a-z]*c[a-z]*$/i.test(one) || one.startsWith('--command'));
    }
    if (name === 'cmd') {
      return rest.some((one) => /^\/[a-z/:]*[ckr]/i.test(one));
    }
    if (name === 'npx' || name === 'npm') {
      return callsCode(name === 'npm' ? rest.slice(1) : rest);
    }
    // PowerShell accepts each beginning of a parameter's name, and takes code without any.
    return (
      (name === 'powershell' || name === 'pwsh') &&
      rest.some((one) => /^[-/]{1,2}(?:c|co|com[a-z]*|e|ec|en[a-z]*)$/i.test(one))
    );
  });
  const word = words[index];
  return word === undefined ? undefined : baseName(word);
}

/** `npx -c` hands its value to a shell; behind the package's name `-c` is the package's own. */
function callsCode(args: readonly string[]): boolean {
  const call = args.findIndex((one) => /^(?:-c|--call)(?:=|$)/.test(one));
  const before = args.slice(0, Math.max(call, 0));
  return (
    call >= 0 &&
    before.every((one, index) => one.startsWith('-') || /^(?:-p|--package)$/.test(before[index - 1] ?? ''))
  );
}

/**
 * True for `cmd /c npx …`, as documents of servers write it for Windows: no code, because nothing in it is one of the
 * characters that `cmd` reads as more than text.
 */
export function isHandedOn([command = '', ...args]: readonly string[]): boolean {
  const first = args.findIndex((one) => !/^\/[cdsq]$/i.test(one));
  return (
    baseName(command) === 'cmd' &&
    first > 0 &&
    /^\w+(?:\.cmd|\.exe)?$/.test(args[first] ?? '') &&
    isPackageRunner(baseName(args[first] ?? '')) &&
    !args.some((one) => /[&|<>^%!"\r\n]/.test(one))
  );
}

/** The interpreter that is given code in its own arguments, such as `node -e` or `python -c`. */
export function interpreterWithCode(words: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    const name = baseName(word);
    const [, option] = codeOptions.find(([names]) => names.test(name)) ?? [];
    if (option && optionsOf(words.slice(at + 1), name === 'deno').some((one) => option.test(one))) {
      return name;
    }
    if (at > 0 && !/^-|=/.test(word)) {
      return undefined; // what follows is another program's
    }
  }
  return undefined;
}

/** The words that are the interpreter's own: up to the script or module, whose arguments follow. */
function optionsOf(args: readonly string[], isVerbFirst: boolean): readonly string[] {
  if (isVerbFirst) {
    return args.filter((one) => !one.startsWith('-')).slice(0, 1);
  }
  const end = args.findIndex(
    (one, index) => one === '-m' || (!one.startsWith('-') && !valueOption.test(args[index - 1] ?? '')),
  );
  return end < 0 ? args : args.slice(0, end);
}
