import { homedir } from 'node:os';
import path from 'node:path';
import type {
  HttpServerDefinition,
  ServerDefinition,
  StdioServerDefinition,
} from '../../config/serverDefinition.ts';
import type { Launch } from '../fingerprint.ts';
import { confusedClient } from '../confusedClient.ts';
import { isSamePath } from '../../folders/rootUri.ts';
import { isInsideWorkspace, valueOf } from './insideWorkspace.ts';
import { assignedVariables } from './assignedVariables.ts';
import { decidedBy, isLoaderVariable } from '../loaderVariables.ts';
import { codeArguments, type CodeArgument } from './codeArguments.ts';
import { isHandedOn, shellWithCode } from './inlineCode.ts';
import { baseName } from './packageRunners.ts';
import { hasSeparator, isVariablesFile, programTexts } from './programWords.ts';
import { expandableTexts } from '../../config/variables.ts';
import { textFacts } from '../launchTable.ts';
import { takenSecrets } from '../takenSecrets.ts';
import { isLoopbackHost } from '../../../base/values/loopback.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { capitalized } from '../../../base/text/words.ts';

const elevators = new Set('sudo doas su pkexec runas gsudo'.split(' '));
const taskRunners = new Set(
  'make just task rake gradle gradlew mvn mvnw cargo go uv poetry npm pnpm yarn bun deno'.split(' '),
);
/**
 * What in a launch you should look at before you allow it, a sentence each: what is unusual for an honest server and
 * usual for an attack. Nothing is forbidden by it; what is only worth knowing is in `launchNotes`.
 *
 * @param workspace The paths of the workspace's folders: an agent could have written what is in them.
 * @param written The definition before its variables were filled in.
 * @param environment What variables of the environment stand for; no value of it is in a sentence.
 */
export function launchWarnings(
  launch: Launch,
  workspace: readonly string[],
  {
    written = launch.definition,
    environment = process.env,
  }: { readonly written?: ServerDefinition; readonly environment?: NodeJS.ProcessEnv } = {},
): string[] {
  const { definition } = launch;
  return [
    ...(definition.type === 'stdio'
      ? processWarnings(definition, launch, workspace)
      : addressWarnings(definition)),
    ...unseenTexts(launch),
    ...takenSecrets(written, environment),
  ];
}

function processWarnings(
  definition: StdioServerDefinition,
  { workingDirectory, envFile = {} }: Launch,
  workspace: readonly string[],
): string[] {
  const { command, args, env } = definition;
  const words = [command, ...args];
  const warnings: string[] = [];
  const warn = (isSo: boolean, sentence: string): void => {
    if (isSo) {
      warnings.push(sentence);
    }
  };

  warn(definition.asksForSandbox === true, 'Asks for a sandbox; MCP Host runs it without one.');
  const inside = (text: string): boolean => isInsideWorkspace(text, workingDirectory, workspace);
  // Windows' `cmd` looks for a program in the working directory first.
  const shell = isHandedOn(words) && !inside('.') ? undefined : shellWithCode(words);
  warn(shell !== undefined, 'Runs a shell command.');
  const code = codeArguments(words).filter(({ kind }) => kind !== 'also');
  warnings.push(...new Set(code.map(codeSentence)));
  warn(words.some(isDownloadRun), 'It downloads a program and runs it at once.');
  warn(
    words.some((word, index) => (index === 0 || shell !== undefined) && hasElevator(word)),
    'It asks for the rights of an administrator.',
  );

  const programs = programTexts(words);
  words.forEach((word, index) => {
    if (index === 0 ? hasSeparator(word) && inside(word) : programs[index]?.some(inside)) {
      warnings.push(
        `${placeOf(index)} is a program inside the workspace: a tool or an agent could have written it.`,
      );
    }
    // Node takes NODE_OPTIONS from it, too.
    warn(
      isVariablesFile(words, index) && inside(word),
      `${placeOf(index)} is a file of environment variables inside the workspace, which decide what runs.`,
    );
  });
  warn(
    taskRunners.has(baseName(command)) && runsTasks(words) && inside('.'),
    'It runs what files of the workspace say, which a tool or an agent could have written.',
  );
  warn(
    hasSeparator(command) && !isAbsolute(command) && !/^(?:\$\{|~)/.test(command),
    'The command is a relative path: which program it is depends on the working directory.',
  );

  // The environment of what comes with this extension is what makes Electron run as Node.
  for (const name of Object.keys(definition.program === undefined ? env : {}).filter(isLoaderVariable)) {
    warnings.push(loaderSentence(name, ''));
  }
  for (const name of definition.envFile === undefined ? [] : Object.keys(envFile).filter(isLoaderVariable)) {
    warnings.push(loaderSentence(name, `, set in "${visibleText(definition.envFile ?? '')}",`));
  }
  for (const { name, index } of assignedVariables(words).filter((one) => isLoaderVariable(one.name))) {
    warnings.push(loaderSentence(name, `, set in argument ${index},`));
  }

  words.forEach((word, index) => {
    warn(hasCredentials(word), `${placeOf(index)} has credentials in an address.`);
  });
  args.forEach((arg, index) => {
    warn(isWide(arg), `${placeOf(index + 1)} is the home directory or the whole disk.`);
  });
  return warnings;
}

function addressWarnings(definition: HttpServerDefinition): string[] {
  const { url, oauth = {} } = definition;
  const warnings: string[] = [];
  if (/^http:/i.test(url) && !isLoopback(url)) {
    warnings.push('The address begins with http: what is sent can be read and changed on its way.');
  }
  if (hasCredentials(url) || hasKeyInQuery(url)) {
    warnings.push('The address has credentials in it.');
  }
  const confused = oauth.issuer === undefined ? undefined : confusedClient(definition, oauth.issuer);
  if (confused !== undefined) {
    warnings.push(`${capitalized(confused)}.`);
  }
  return warnings;
}

function placeOf(index: number): string {
  return index === 0 ? 'The command' : `Argument ${index}`;
}

function codeSentence({ kind, name, index }: CodeArgument): string {
  switch (kind) {
    case 'code':
      return `Its arguments are code, which ${name} runs.`;
    case 'command':
      return `${placeOf(index)} makes ${name} run another command.`;
    case 'loads':
    case 'also':
      return `${placeOf(index)} makes ${name} load other code.`;
    case 'source':
      return `${placeOf(index)} makes ${name} download from another place than usual.`;
    case 'machine':
      return `${placeOf(index)} makes ${name} work on another machine.`;
    case 'reaches':
      return `${placeOf(index)} lets the container reach into this machine.`;
    case 'admin':
      return 'The container gets the rights of an administrator over this machine.';
  }
}

function loaderSentence(name: string, where: string): string {
  return `The environment variable ${visibleText(name)}${where} decides ${decidedBy(name) ?? ''}.`;
}

const download = /\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i;
const substitution = /(?:\$\(|<\(|`)\s*(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i;
const evaluation = /\b(?:iex|invoke-expression)\b/i;
const handingOn = /^(?:env|sudo|exec)$/i;
const interpreter = /^(?:sh|bash|zsh|dash|ksh|fish|python\d*|node|perl|ruby|php|iex|invoke-expression)\b/i;

/** In linear time: each pattern is looked for once, and the rest in what stands behind it. */
function isDownloadRun(text: string): boolean {
  return (
    substitution.test(text) ||
    download.test(behind(evaluation, text)) ||
    behind(download, text)
      .split(/[|;]|&&/)
      .slice(1)
      .some(startsInterpreter)
  );
}

/** What stands behind the first match; nothing without one. */
function behind(pattern: RegExp, text: string): string {
  const found = pattern.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

/** Such as ` sudo env /bin/sh`. */
function startsInterpreter(code: string): boolean {
  for (const word of code.trimStart().split(/\s+/)) {
    const parts = word.split('/');
    if (parts.some((part) => interpreter.test(part))) {
      return true;
    }
    if (!handingOn.test(parts.at(-1) ?? '')) {
      return false;
    }
  }
  return false;
}

/** In a command alone, or anywhere in the code of a shell. */
function hasElevator(word: string): boolean {
  return elevators.has(baseName(word)) || /(?:^|[\s;&|(])(?:sudo|doas|pkexec|runas)\s/.test(word);
}

function isAbsolute(text: string): boolean {
  return path.posix.isAbsolute(text) || path.win32.isAbsolute(text);
}

function runsTasks([command = '', ...args]: readonly string[]): boolean {
  const first = args.find((one) => !one.startsWith('-')) ?? '';
  switch (baseName(command)) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
    case 'deno':
    case 'cargo':
    case 'go':
    case 'uv':
    case 'poetry':
      return /^(?:run|run-script|start|test|task)$/.test(first);
    default:
      return true;
  }
}

/** The home directory, what is above it, or the root of a disk: alone, or in a list as of volumes. */
function isWide(arg: string): boolean {
  const value = valueOf(arg);
  return [value, ...value.split(/[,=]/), ...value.split(/:(?![\\/]{2})/)].some(isWidePath);
}

function isWidePath(text: string): boolean {
  if (
    /^(?:~|\$HOME|\$\{(?:userHome|HOME|env:HOME|env:USERPROFILE|USERPROFILE)(?::-[^}]*)?\}|%USERPROFILE%)[/\\]*$/i.test(
      text,
    )
  ) {
    return true;
  }
  if (
    /^(?:[a-z]:[/\\]+|[/\\]+)$/i.test(text) ||
    /^(?:\/home|\/Users|\/root|[a-z]:[/\\]Users)[/\\]*$/i.test(text)
  ) {
    return true;
  }
  return isAbsolute(text) && isSamePath(path.resolve(text), homedir());
}

const keyName = /key|token|secret|password|passwd|auth|signature|credential/i;

function hasCredentials(text: string): boolean {
  return /[a-z0-9+.-]:\/\/[^\s/?#@]+@/i.test(text) && !/\bgit\+ssh:\/\/git@|\bssh:\/\/git@/i.test(text);
}

function hasKeyInQuery(url: string): boolean {
  return url
    .split(/[?&#]/)
    .slice(1)
    .some((pair) => {
      const end = pair.indexOf('=');
      return end >= 0 && end < pair.length - 1 && keyName.test(pair.slice(0, end));
    });
}

/** Whether an address leads to this machine; false while a variable in it is not known. */
function isLoopback(url: string): boolean {
  return isLoopbackHost(URL.parse(url)?.hostname ?? '');
}

/** A sentence for each text with characters that can't be seen. */
function unseenTexts({ definition, envFile = {} }: Launch): readonly string[] {
  const texts = expandableTexts(definition).flatMap((placed): (readonly [string, string])[] => {
    const { called } = textFacts(placed);
    const [field, name] = placed.path;
    // A certificate has line breaks.
    return field === 'env' || field === 'headers'
      ? [
          [`The name of ${called}`, String(name)],
          [`The value of ${called}`, placed.text.replaceAll(/[\r\n\t]/g, '')],
        ]
      : [[capitalized(called), placed.text]];
  });
  const ofFile = Object.keys(envFile).map(
    (name) => [`The name of ${textFacts({ path: ['env', name] }).called}`, name] as const,
  );
  const all = [['The name of the server', definition.name] as const, ...texts, ...ofFile];
  const unseen = all.filter(([, text]) => text !== visibleText(text)).map(([what]) => what);
  return [...new Set(unseen)].map(
    (what) => `${what} has characters that you cannot see; they are written out here.`,
  );
}
