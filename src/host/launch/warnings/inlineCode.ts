import { baseName, isPackageRunner } from './packageRunners.ts';

const posixShells = new Set('sh bash zsh dash ksh ash fish csh tcsh busybox'.split(' '));

/** The first shell among the words that is given code to run, such as `bash -c` or `cmd /c`. */
export function shellWithCode(words: readonly string[]): string | undefined {
  let shell: string | undefined;
  // From the end, so that each word is looked at once: what shells are given in the words behind this one.
  let [posix, cmd, powerShell] = [false, false, false];
  /** Whether `npx` gets code in the words from the next one on, and from the one behind that. */
  let [calls, callsLater] = [false, false];
  for (const [index, word] of [...words.entries()].toReversed()) {
    const name = baseName(word);
    const hasCode =
      (posixShells.has(name) && posix) ||
      (name === 'cmd' && cmd) ||
      (name === 'npx' && calls) ||
      (name === 'npm' && callsLater) ||
      ((name === 'powershell' || name === 'pwsh') && powerShell);
    shell = hasCode ? name : shell;
    posix ||= (/^-[a-z]+$/i.test(word) && /c/i.test(word)) || word.startsWith('--command');
    cmd ||= /^\/[a-z/:]*[ckr]/i.test(word);
    // PowerShell accepts each beginning of a parameter's name, and takes code without any.
    powerShell ||= /^[-/]{1,2}(?:c|co|com[a-z]*|e|ec|en[a-z]*)$/i.test(word);
    callsLater = calls;
    // `npx -c` hands its value to a shell; behind the package's name `-c` is the package's own.
    calls =
      /^(?:-c|--call)(?:=|$)/.test(word) ||
      (calls && (word.startsWith('-') || /^(?:-p|--package)$/.test(words[index - 1] ?? '')));
  }
  return shell;
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
