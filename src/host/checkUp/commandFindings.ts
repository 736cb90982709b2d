import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { wholeFailure } from '../connection/failures/failureWord.ts';
import { installOf } from '../connection/failures/remedies.ts';
import {
  isInUserSettings,
  type DefinitionOrigin,
  type StdioServerDefinition,
} from '../config/serverDefinition.ts';
import { isEditable, pathWith } from '../config/edit/changeServer.ts';
import { HostError } from '../errors/hostError.ts';
import { filled, type ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import { mergeEnvironments } from '../processes/environment.ts';
import { findProgram } from '../processes/findProgram.ts';
import { checkDirectory, noPermission, notFound } from '../transport/spawnServer.ts';
import type { Finding } from './checkStep.ts';
import { foundInKnownFolders, type KnownPlaces } from './knownFolders.ts';
import { askLoginShell } from './loginShell.ts';

/** The command of a launch as the system gets it, as far as it is known. */
export interface LaunchedCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Undefined while a variable of the command is not known. */
export function launchedCommand(
  definition: StdioServerDefinition,
  launch: ResolvedLaunch,
): LaunchedCommand | undefined {
  const command = filled(launch, definition.command);
  const written = Object.entries(definition.env).flatMap(([name, text]) => {
    const value = filled(launch, text);
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = mergeEnvironments([launch.inherited, launch.envFile ?? {}, Object.fromEntries(written)]);
  return command === undefined || command === '' ? undefined : { command, cwd: launch.workingDirectory, env };
}

export async function directoryFinding({ cwd }: LaunchedCommand): Promise<Finding> {
  try {
    await checkDirectory(cwd);
    return { outcome: 'ok', text: `It starts in ${cwd}.` };
  } catch (error) {
    if (!(error instanceof HostError)) {
      throw error;
    }
    return failed(error, 'Change "cwd" in its definition, or create the folder.');
  }
}

/** Which file the command is, on the PATH of the launch. `file` is what would be started. */
export async function fileFinding(launched: LaunchedCommand): Promise<Finding & { readonly file?: string }> {
  const { command } = launched;
  const found = await findProgram(command, launched);
  if (!found) {
    const advice = isName(command)
      ? 'Install it, or put its folder on this PATH: see below.'
      : 'Change the path in its definition.';
    return failed(notFound(launched), advice);
  }
  const { file, isExecutable, lacks } = found;
  if (!isExecutable) {
    return failed(
      noPermission(file),
      `Make it executable (chmod +x), or set "command" to the program that runs it.`,
    );
  }
  if (lacks !== undefined) {
    return {
      outcome: 'failed',
      text: `${file} is a script for ${lacks}, which isn't there.`,
      advice: 'Install that program, or set "command" to the one that runs the script.',
      action: { kind: 'edit' },
    };
  }
  const target = await realpath(file).catch(() => file);
  const leads = target === file ? '' : `, which leads to ${target}`;
  return { outcome: 'ok', text: `The command '${command}' is ${file}${leads}.`, file };
}

/** Where the login shell finds the command; `file` is what the launch would start. */
export async function shellFinding(
  { command }: LaunchedCommand,
  file: string | undefined,
  { env, shell, origin }: KnownPlaces & { readonly shell: string; readonly origin: DefinitionOrigin },
  signal: AbortSignal,
): Promise<Finding & { readonly isFound: boolean }> {
  const answer = await askLoginShell(command, { shell, env }, signal);
  const name = `The login shell (${shell})`;
  switch (answer.kind) {
    case 'file':
      if (answer.file === file) {
        return { outcome: 'ok', text: `${name} finds the same file.`, isFound: true };
      }
      return {
        outcome: 'noted',
        text: `${name} finds ${file === undefined ? 'it' : 'another file'}: ${answer.file}`,
        ...pathFix(await stableFolder(answer.file), origin),
        isFound: true,
      };
    case 'ofShell':
      return {
        outcome: 'noted',
        text: `${name} knows it only as an alias, a function or a command of its own: ${answer.words}`,
        isFound: false,
      };
    case 'nothing':
      return { outcome: 'noted', text: `${name} doesn't find it either.`, isFound: false };
    case 'silent':
      return { outcome: 'skipped', text: `${name} did not answer within 5 s.`, isFound: false };
    case 'failed':
      return { outcome: 'skipped', text: `${name} could not be asked.`, isFound: false };
  }
}

/** Where an installer keeps the command. */
export async function installedFinding(
  { command }: LaunchedCommand,
  places: KnownPlaces & { readonly origin: DefinitionOrigin },
): Promise<Finding> {
  const found = await foundInKnownFolders(command, places);
  const [first] = found;
  if (first) {
    const lines = found.map(({ installer, file }) => `${installer} has it: ${file}`);
    return { outcome: 'noted', text: lines.join('\n'), ...pathFix(first.folder, places.origin) };
  }
  const install = installOf(command);
  return {
    outcome: 'noted',
    text: 'It is not where nvm, fnm, Volta, asdf, mise, Homebrew, Scoop and uv keep programs.',
    advice:
      install?.kind === 'install'
        ? `Install ${install.program.name}.`
        : 'Install it, or change "command" in its definition.',
    action: install ?? { kind: 'edit' },
  };
}

/** Whether a command is looked up on PATH. */
export function isName(command: string): boolean {
  return !/[\\/]/.test(command);
}

/** The folder alone helps: `npx` finds `node` on PATH, too. Where a `${` would be a variable, it can't be written. */
function pathFix(folder: string, origin: DefinitionOrigin): Pick<Finding, 'advice' | 'action'> {
  const value = JSON.stringify(pathWith(folder, undefined, origin.format));
  const isCopied = !isInUserSettings(origin);
  const canWrite = isEditable(origin) && !folder.includes('${');
  return {
    advice: `Put its folder first in the PATH of this server, in "env": "PATH": ${value}`,
    action: canWrite ? { kind: 'usePath', folder, ...(isCopied && { isCopied }) } : { kind: 'edit' },
  };
}

/** fnm gives each shell a folder of its own, a link that goes with the shell. */
async function stableFolder(file: string): Promise<string> {
  const folder = path.dirname(file);
  return folder.includes('fnm_multishells') ? realpath(folder).catch(() => folder) : folder;
}

function failed(failure: HostError, advice: string): Finding {
  return { outcome: 'failed', text: wholeFailure(failure), advice, action: { kind: 'edit' } };
}
