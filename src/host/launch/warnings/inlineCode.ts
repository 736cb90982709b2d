import { baseName, isPackageRunner } from './packageRunners.ts';

const posixShells = new Set('sh bash zsh dash ksh ash fish csh tcsh busybox'.split(' '));

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
